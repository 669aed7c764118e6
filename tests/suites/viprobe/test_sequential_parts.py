"""The parts of sequential verdicts: the table of replies, the posterior, bets, and the gate of misfit."""

from itertools import product

import numpy as np
import pytest
import scipy.stats

from veridical.records import Chunk
from veridical.suites.viprobe.sequential.bets import Ledger
from veridical.suites.viprobe.sequential.blocks import Block, BlockQuestion, block_questions
from veridical.suites.viprobe.sequential.choice import worth
from veridical.suites.viprobe.sequential.gates import Misfit
from veridical.suites.viprobe.sequential.posterior import Posterior
from veridical.suites.viprobe.sequential.prior import NODES, VERDICTS, CandidateObserver, alike_sight
from veridical.suites.viprobe.sequential.tables import FIRST, GROUPS, STRANGE, reply_logs, reply_table
from veridical.suites.viprobe.verdicts import names
from veridical.suites.viprobe.verdicts.model import SHIFT, Design, Habits, reply_chances, unchanged_probability

ALPHAS = (0.0, -1.0, -0.6, -0.4, -0.3, -0.2, -0.1, -0.05, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 1.0)
KINDS = ((True, True), (False, False))
RNG = np.random.default_rng(460)


@pytest.fixture(scope="module")
def table():
    return reply_table(ALPHAS, KINDS)


def test_the_table_has_the_likelihood_of_the_verdicts(table):
    for place in RNG.integers(len(table.everyone), size=12):
        candidate = table.everyone[place]
        kind, strength, node = (int(RNG.integers(most)) for most in (len(KINDS), len(ALPHAS), NODES))
        cells = np.array([[ALPHAS[strength]] * 2])
        design = Design(
            cells,
            np.ones_like(cells),
            np.zeros_like(cells),
            np.array([False, True]),
            np.array([KINDS[kind][0] or candidate.alike]),
            np.array([KINDS[kind][1]]),
        )
        theta, case = candidate.theta[node : node + 1].copy(), np.zeros(1, int)
        if candidate.alike and not KINDS[kind][0]:
            theta[:, SHIFT] = candidate.own[node, SHIFT]
        same = unchanged_probability(theta, case, design, candidate.effect, candidate.habits)
        chances = reply_chances(same, theta, case, design, candidate.effect, candidate.habits)[0]
        held = np.exp(table.logs[kind, :, strength, :, node, place])
        evenly = np.where(np.arange(8) < 4, 0.25, 0.5)
        assert held == pytest.approx((1 - STRANGE) * chances + STRANGE * evenly, abs=1e-5)


def test_replies_of_a_question_sum_to_one_and_each_verdict_is_as_likely(table):
    for replies in (slice(0, 4), slice(4, 6), slice(6, 8)):
        assert np.allclose(table.field.chances[:, :, replies].sum(2), 1, atol=1e-4)
    shares = np.bincount(table.field.verdict, table.field.prior)
    assert shares == pytest.approx(1 / len(VERDICTS))
    assert np.allclose(np.exp(table.field.log_shares).sum(0), 1)


def test_the_weights_are_those_of_bayes_with_cases_integrated_out(table):
    posterior = Posterior(table, [0, 0, 1])
    learned = [(case, [(0, 3, 4), (1, 3, 5), (0, 0, 6), (1, 0, 7)]) for case in (0, 1, 1, 2)]
    for case, replies in learned:
        posterior.learn(case, replies)
    posterior.refresh([0, 1, 2])
    shares = np.exp(table.field.log_shares)
    height = np.log(table.field.prior)
    for case, kind in enumerate((0, 0, 1)):
        by_node = np.ones_like(shares)
        for _, replies in (each for each in learned if each[0] == case):
            item = np.prod([np.exp(table.logs[(kind, *reply)]) for reply in replies], 0)
            by_node *= np.where(table.field.by_unit, (shares * item).sum(0), item)
        height = height + np.log((shares * by_node).sum(0))
    expected = np.exp(height - height.max())
    expected /= expected.sum()
    kept = posterior.field.places
    assert posterior.sights > 8, "no sight is drawn beside those of the table"
    assert expected[kept].sum() > 0.999
    assert np.allclose(posterior.weights, expected[kept] / expected[kept].sum(), atol=1e-5)


def test_questions_are_worth_the_shares_of_both_entropies_that_they_remove(table):
    posterior = Posterior(table, [0])
    posterior.weights = RNG.dirichlet(np.full(len(table.everyone), 0.01))
    verdicts = np.bincount(table.field.verdict, posterior.weights)
    told = worth(posterior)
    for context, strength, (group, replies) in product((0, 1), (0, 3, 13), enumerate(GROUPS)):
        joint = table.field.chances[context, strength, replies] * posterior.weights
        joint /= joint.sum()
        by_verdict = np.stack([np.bincount(table.field.verdict, each, len(VERDICTS)) for each in joint])
        removed = [
            (scipy.stats.entropy(each.sum(0)) + scipy.stats.entropy(each.sum(1)) - scipy.stats.entropy(each, axis=None))
            for each in (by_verdict, joint)
        ]
        expected = removed[0] / scipy.stats.entropy(verdicts) + removed[1] / scipy.stats.entropy(posterior.weights) / 4
        assert told.values[context, strength, group] == pytest.approx(expected, rel=1e-3, abs=1e-5)


@pytest.mark.parametrize("lost", [names.LOSS, names.MIXED])
def test_the_strongest_changes_of_figures_are_asked_about_until_it_is_sure_that_they_are_seen(table, lost):
    posterior = Posterior(table, [0])
    seeing, losing = (table.field.verdict == VERDICTS.index(name) for name in (names.VERIDICAL, lost))
    for share in (0.5, 0.9, 0.98):
        posterior.weights = share * seeing / seeing.sum() + (1 - share) * losing / losing.sum()
        context, strength, _ = np.unravel_index(worth(posterior).values.argmax(), (2, len(ALPHAS), len(GROUPS)))
        assert (context, abs(ALPHAS[strength])) == (1, 1.0)


def _block(number, alpha, *, kind="contrast", uniform=False):
    questions = block_questions(kind, alpha, (number % 2, 1 - number % 2))
    return Block(number % 9, Chunk("ponzo", number), kind, alpha, questions, uniform)


def _ledger(changed, blocks=120):
    """The ledger of an observer with these chances to say "changed", by context and strength."""
    ledger = Ledger([1.0] * 9)
    for number in range(blocks):
        alpha = float(RNG.choice([-1.0, -0.4, 0.4, 1.0]))
        kind = ("contrast", "signs", "pairs")[number % 3]
        block = _block(number, alpha, kind=kind, uniform=kind == "contrast")
        ledger.note(block, {asked: bool(RNG.random() < changed(asked)) for asked in block.questions})
    return ledger


def test_bets_are_hardly_ever_won_against_what_is_true():
    nulls = {
        "sees alike": lambda asked: 0.1 + 0.8 * abs(asked.alpha),
        "half lapses": lambda asked: 0.5 + 0.2 * (asked.alpha != 0),
        "deaf": lambda asked: (asked.alpha != 0) ^ (asked.half == 1),
        "a coin": lambda asked: 0.5,  # noqa: ARG005 (whatever is asked)
    }
    false = {
        "sees alike": (names.LOSS, names.BLIND),
        "half lapses": (names.LOSS, names.BLIND),
        "deaf": (names.LOSS, names.BLIND, names.VERIDICAL),
        "a coin": (names.LOSS, names.VERIDICAL),
    }
    won = sum(_ledger(chances).won(name) for key, chances in nulls.items() for _ in range(25) for name in false[key])
    assert won <= 3


def test_bets_are_won_where_figures_are_recalled_or_nothing_is_seen():
    recalls = _ledger(lambda asked: asked.context == 0 and asked.alpha != 0, 60)
    assert recalls.won(names.LOSS)
    assert not recalls.won(names.BLIND)
    assert recalls.controls_followed
    blind = _ledger(lambda _: False, 660)
    assert blind.won(names.BLIND)
    assert not blind.won(names.LOSS)
    assert not blind.controls_followed
    sees = _ledger(lambda asked: asked.alpha != 0, 300)
    assert sees.won(names.VERIDICAL)
    value, (low, high), items = sees.interval("gap")
    assert (value, items) == (0.0, 100)
    assert low < 0 < high < 0.3


def test_a_base_item_of_which_an_answer_is_missing_shows_nothing():
    ledger, block = Ledger([1.0] * 9), _block(0, 1.0, uniform=True)
    ledger.note(block, dict.fromkeys(block.questions[:3], True))
    assert ledger.interval("gap") is None


def test_the_misfit_is_as_rare_as_it_says_and_sees_what_it_should():
    cells = [BlockQuestion(context, alpha, half) for context, alpha, half in product((0, 1), (0.0, 0.2, 1.0), (0, 1))]
    rare = 0
    for _ in range(300):
        misfit = Misfit()
        for question in cells * 8:
            chance = RNG.uniform(0.1, 0.9)
            misfit.note(question, chance, changed=bool(RNG.random() < chance))
        rare += misfit.p < 0.05
    assert 4 <= rare <= 30
    for question in cells * 8:
        misfit.note(question, 0.2, changed=question.context == 1)
    assert misfit.fails
    assert not Misfit().fails


@pytest.mark.parametrize("apart", [False, True])
def test_pictures_of_a_base_item_look_alike_as_often_as_in_a_simulation(apart):
    noise, criterion, common, alpha, many = 0.5, 0.4, 0.6, 0.6, 200_000
    drawn = []
    for _ in range(40):
        theta = alike_sight(noise, criterion, common, RNG, apart=apart)
        seeing = CandidateObserver(names.WEAK, "nothing", theta, Habits(), noise, 0, theta, by_unit=True, alike=True)
        logs = reply_logs([seeing], (0.0, alpha), ((False, True),))[0, :, 1, FIRST.start : FIRST.stop, :, 0]
        drawn.append(np.exp(logs[0, :, None] + logs[1, None]).mean(-1))
    shared = RNG.standard_normal((2, many))[[0, int(apart)]]
    own = np.sqrt(1 - common) * RNG.standard_normal((2, many))
    control, figure = np.abs(alpha + noise * (np.sqrt(common) * shared + own)) < criterion
    alike = [[(a & b).mean() for b in (figure, ~figure)] for a in (control, ~control)]
    assert np.mean(drawn, 0) == pytest.approx(np.array(alike), abs=0.03)
    if not apart:
        assert alike[0][0] > np.mean(control) * np.mean(figure) + 0.06, (
            "to an observer of single pictures it is another"
        )
