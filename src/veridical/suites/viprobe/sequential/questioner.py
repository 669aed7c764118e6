"""The questioner: which questions come next, what the replies say, and when that is enough."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.errors import InputError
from veridical.suite.sequential import NextQuestion, SequentialStanding, TrialPool
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.options import VIProbeOptions
from veridical.suites.viprobe.sequential.bets import Ledger
from veridical.suites.viprobe.sequential.blocks import (
    KINDS,
    QUESTIONS,
    Block,
    BlockQuestion,
    CaseOrder,
    TrialIndex,
    block_questions,
)
from veridical.suites.viprobe.sequential.choice import Worth, possible_blocks, preferences, worth
from veridical.suites.viprobe.sequential.conclusion import SequentialConclusion
from veridical.suites.viprobe.sequential.gates import LEAST, Misfit, ReplyTally
from veridical.suites.viprobe.sequential.posterior import Posterior
from veridical.suites.viprobe.sequential.tables import FIRST, SECOND, reply_table

ROUND = 48
"""Questions of a round."""

IN_TURN = 0.2
"""The share of blocks that come in the fixed random order, at any strength."""

_HALVES = (FIRST, SECOND)


class VIProbeQuestioner:
    """Chooses VI-Probe's questions round by round; see `suite.sequential.Questioner`.

    Raises `InputError` for a design with too few base items for a verdict, or too few questions in all.
    """

    def __init__(self, options: VIProbeOptions, pool: TrialPool, most: int) -> None:
        self._order = CaseOrder(options)
        _require_enough(self._order, most)
        self._trials, self._most = TrialIndex(pool), most
        self._rng = np.random.default_rng([options.seed, 1])
        cases = [CASES[name] for name in self._order.cases]
        facts = [(case.directed, case.answer(same=True) == "1") for case in cases]
        kinds = tuple(sorted(set(facts), reverse=True))
        strengths = sorted({alpha for alphas in self._order.alphas for alpha in alphas})
        table = reply_table((0.0, *strengths), kinds)
        self._forward_first = [forward for _, forward in facts]
        self._posterior = Posterior(table, [kinds.index(fact) for fact in facts])
        self._ledger = Ledger([max(map(abs, alphas)) for alphas in self._order.alphas])
        self._misfit, self._replies = Misfit(), ReplyTally()
        self._asked_by_case = np.zeros(len(cases), int)
        self._pending: list[tuple[Block, dict[str, BlockQuestion]]] = []
        self._blocks = self._in_turn = 0

    def next_round(self) -> Sequence[NextQuestion]:
        """The next blocks, of new base items all."""
        if self._pending:
            raise RuntimeError("the replies to the last round are missing")
        told = worth(self._posterior)
        questions: list[NextQuestion] = []
        while len(questions) + QUESTIONS <= min(ROUND, self._most - QUESTIONS * (self._blocks - len(self._pending))):
            block = self._next_block(told)
            if block is None:
                break
            forward_first = self._forward_first[block.case]
            ids = {
                self._trials.trial(block.chunk, question, forward_first=forward_first).id: question
                for question in block.questions
            }
            self._pending.append((block, ids))
            questions += [NextQuestion(block.chunk, trial) for trial in ids]
        return questions

    def learn(self, outcomes: pl.DataFrame) -> None:
        """Takes in the outcomes of the round."""
        rows = outcomes.filter(pl.col("status").is_not_null()).unique("trial", keep="first", maintain_order=True)
        columns = ("status", "correct", "variant")
        replies = {trial: facts for trial, *facts in rows.select("trial", *columns).iter_rows()}
        known = [trial for _, ids in self._pending for trial in ids if trial in replies]
        self._replies.add(rows.filter(pl.col("trial").is_in(known)))
        chances = self._changed_chances()
        for block, ids in self._pending:
            changed = {
                question: says_changed(*replies[trial][1:])
                for trial, question in ids.items()
                if trial in replies and replies[trial][0] == "answered"
            }
            self._take_in(block, changed, chances)
        self._posterior.refresh(sorted({block.case for block, _ in self._pending}))
        self._pending = []

    def standing(self) -> SequentialStanding:
        """What can be concluded now."""
        return SequentialConclusion(
            cases=self._order.cases,
            posterior=self._posterior,
            ledger=self._ledger,
            misfit=self._misfit,
            replies=self._replies,
            asked_by_case=tuple(map(int, self._asked_by_case)),
        ).standing()

    def _next_block(self, told: Worth) -> Block | None:
        """The next block: of the fixed random order, or at the strength and of the kind that tells most.

        If the model misses replies, all come in the fixed random order.
        """
        item = self._order.next()
        if item is None:
            return None
        self._blocks += 1
        case, chunk = item
        alphas = self._order.alphas[case]
        halves = tuple(int(half) for half in self._rng.permutation(2))
        uniform = self._misfit.fails or int(IN_TURN * self._blocks) > self._in_turn
        if uniform:
            self._in_turn += 1
            kind, alpha = KINDS[0], float(self._rng.choice(alphas))
        else:
            possible = possible_blocks(alphas)
            kind, alpha = possible[int(self._rng.choice(len(possible), p=preferences(possible, told)))]
        return Block(case, chunk, kind, alpha, block_questions(kind, alpha, halves), uniform)

    def _take_in(self, block: Block, changed: Mapping[BlockQuestion, bool], chances: NDArray[np.float64]) -> None:
        expected = self._expectation(chances)
        self._asked_by_case[block.case] += len(block.questions)
        if block.uniform:
            for question, value in changed.items():
                self._misfit.note(question, expected(question), changed=value)
        self._ledger.note(block, changed)
        replies = _replies_of(block, changed)
        self._posterior.learn(
            block.case, [(asked.context, self._strength(asked.alpha), says) for asked, says in replies]
        )

    def _expectation(self, chances: NDArray[np.float64]) -> Callable[[BlockQuestion], float]:
        """The chance of "changed" to a question."""

        def expected(question: BlockQuestion) -> float:
            return float(chances[question.half, question.context, self._strength(question.alpha)])

        return expected

    def _strength(self, alpha: float) -> int:
        return self._posterior.alphas.index(alpha)

    def _changed_chances(self) -> NDArray[np.float64]:
        """The chance of "changed" by the weights, shape (halves, contexts, strengths)."""
        chances, weights = self._posterior.field.chances, self._posterior.weights
        return np.stack([chances[:, :, half.start + 1] @ weights for half in _HALVES])


def _replies_of(block: Block, changed: Mapping[BlockQuestion, bool]) -> list[tuple[BlockQuestion, int]]:
    """The replies of a block, by their places in `counts.SAYS`: of both questions together where both are answered."""
    if block.kind != "pairs":
        return [(question, _HALVES[question.half].start + int(value)) for question, value in changed.items()]
    replies = []
    for question, value in changed.items():
        other = question._replace(half=1 - question.half)
        if other not in changed:
            replies.append((question, _HALVES[question.half].start + int(value)))
        elif question.half == 0:
            replies.append((question, 2 * int(value) + int(changed[other])))
    return replies


def says_changed(correct: bool, variant: str) -> bool:
    """Whether an answer says that the picture is changed: a right answer about a changed picture, or a wrong one."""
    return correct == (variant in ("P", "PC"))


def _require_enough(order: CaseOrder, most: int) -> None:
    least = LEAST // QUESTIONS
    if order.items < least:
        per_case = -(-least // len(order.cases))
        raise InputError(
            f"a verdict takes at least {LEAST} questions, {QUESTIONS} a base item: {len(order.cases)} "
            f"case{'s' * (len(order.cases) > 1)} with {order.items} base items in all are too few; "
            f"{per_case} units a case are enough"
        )
    if most < LEAST:
        raise InputError(f"at most {most} questions: a verdict takes at least {LEAST}")


def start(options: VIProbeOptions, pool: TrialPool, most: int) -> VIProbeQuestioner:
    """The questioner of a design; raises `InputError` where the design is too small for a verdict."""
    return VIProbeQuestioner(options, pool, most)
