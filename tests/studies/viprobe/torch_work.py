"""What the tests of training do with torch, in a module of its own: to load it takes half a gigabyte, and seconds."""

from pathlib import Path

import numpy as np

from studies.viprobe.training.arms import FIRST
from studies.viprobe.training.batches import Drawer
from studies.viprobe.training.plan import Plan
from studies.viprobe.training.taught_pictures import pool
from veridical.suites.viprobe.observers.learned_observers.network import Network
from veridical.suites.viprobe.observers.learned_observers.questions import FORMS, TOPICS
from veridical.suites.viprobe.observers.learned_observers.weights import Weights, read_weights, write_weights


def found(job, task):
    """A task by its name, and what it found: `job` has the folder of the pool, one to work in, and the plan."""
    drawn, folder = pool(Path(job["pool"]), 0), Path(job["work"])
    return [task, stopped(drawn, folder, Plan(**job["plan"])) if task == "stopped" else computed(drawn, folder)]


def stopped(drawn, folder, plan):
    """The names of what differs between a network taught without a stop and one that was taken up."""
    import torch

    from studies.viprobe.training.train import Learner

    drawer = Drawer(drawn, FIRST["controls"], 0)
    torch.set_num_threads(1)
    whole = Learner(0, plan)
    whole.learn(drawer, 4, folder / "whole.npz", lambda *_: None)
    Learner(0, plan).learn(drawer, 2, folder / "kept.npz", lambda *_: None)
    taken_up = Learner(5, plan)
    taken_up.take_up(folder / "kept.npz")
    taken_up.learn(drawer, 4, folder / "kept.npz", lambda *_: None)
    both = zip(whole.parts.state_dict().items(), taken_up.parts.state_dict().values(), strict=True)
    return [name for (name, left), right in both if not torch.equal(left, right)]


def computed(drawn, folder):
    """Whether NumPy gives the features and outputs of torch, how far rounded weights are off, and how far they may."""
    import torch

    from studies.viprobe.training.export import arrays, layers
    from studies.viprobe.training.network import BLOCKS, answers, network

    seen = {"strides": [stride for _, stride in BLOCKS], "questions": {}}
    torch.manual_seed(0)
    parts = network()
    for module in parts["trunk"]:
        if isinstance(module, torch.nn.BatchNorm1d | torch.nn.BatchNorm2d):
            module.running_mean.normal_(0, 0.1)
            module.running_var.uniform_(0.5, 2)
    parts.eval()
    pictures = np.array(drawn.pictures[::7])
    questions = np.arange(len(pictures)) % (len(TOPICS) * len(FORMS))
    with torch.no_grad():
        features = parts["trunk"](torch.from_numpy(pictures.astype(np.float32) / 255))
        outputs = answers(parts, features, torch.from_numpy(questions)).numpy()
    exact = {name: weight for name, (weight, _) in layers(parts).items()}
    scales = {f"{name}.scale": np.ones(len(weight), np.float32) for name, weight in exact.items()}
    biases = {f"{name}.bias": bias for name, (_, bias) in layers(parts).items()}
    same = Network(Weights(seen, {**exact, **scales, **biases}))
    write_weights(folder / "small.npz", arrays(parts), seen)
    small = Network(read_weights(folder / "small.npz"))
    rounded = small.outputs(small.features(pictures), questions)
    return {
        "features": bool(np.allclose(same.features(pictures), features.numpy(), atol=1e-5)),
        "outputs": bool(np.allclose(same.outputs(same.features(pictures), questions), outputs, atol=1e-5)),
        "rounded": float(np.abs(rounded - outputs).max()),
        "spread": float(0.05 * outputs.std() + 0.01),
    }
