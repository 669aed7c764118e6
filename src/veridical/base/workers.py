"""Where work that is spread runs: in processes of this machine, or on a Ray cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veridical.base.processes import Crew, Handler, Json, ProcessCrew, map_processes, results_of
from veridical.base.run_options import require_allowed
from veridical.errors import InputError

CLIENT = "ray://"
"""What the address of a cluster begins with that this machine is no part of."""

_CLUSTERS = f"auto (the cluster of this machine), local (a new one on this machine) or {CLIENT}HOST:PORT"


@dataclass(frozen=True)
class Workers:
    """So many `processes` of this machine, or the workers of a Ray `cluster` at an address.

    On a cluster, a local model is loaded in so many `copies` (`None`: as many as fit), each on so many `gpus`.

    >>> Workers(1).several, Workers(4).several, Workers(cluster="auto").several
    (False, True, True)
    """

    processes: int = 1
    cluster: str | None = None
    copies: int | None = None
    gpus: int = 1

    @classmethod
    def stated(cls, workers: int | None, cluster: str | None, gpus_per_model: int | None = None) -> Workers | None:
        """The workers that three options name, or `None` where neither processes nor a cluster are stated.

        Raises `InputError` where both are, except for copies of a model, and for a number or an address that is not
        allowed. The cluster is not connected to.

        >>> Workers.stated(2, None), Workers.stated(None, None)
        (Workers(processes=2, cluster=None, copies=None, gpus=1), None)
        """
        if cluster is None and gpus_per_model is not None:
            raise InputError(f"gpus_per_model {gpus_per_model} without a cluster: name one, {_CLUSTERS}")
        if workers is not None and cluster is not None and gpus_per_model is None:
            raise InputError(f"workers {workers} beside cluster '{cluster}': name one of the two")
        require_allowed({"workers": workers, "gpus_per_model": gpus_per_model})
        if cluster is None:
            return None if workers is None else cls(workers)
        host, _, port = cluster.removeprefix(CLIENT).rpartition(":")
        if "@" in cluster:
            raise InputError(f"the cluster's address has user info: {_CLUSTERS} is allowed")
        if cluster not in ("auto", "local") and not (cluster.startswith(CLIENT) and host and port.isdecimal()):
            raise InputError(f"cluster '{cluster}': {_CLUSTERS} is allowed")
        return cls(cluster=cluster, copies=workers, gpus=1 if gpus_per_model is None else gpus_per_model)

    @property
    def several(self) -> bool:
        """Whether work goes to other processes at all."""
        return self.cluster is not None or self.processes > 1

    def worth(self, items: int, least: int) -> bool:
        """Whether so many items go to other processes, which is worth it from `least` on; a cluster gets any."""
        return items > 0 and self.several and (self.cluster is not None or items >= least)

    def map(self, handler: Handler, job: Json, items: Sequence[Json]) -> Iterator[Json]:
        """The handler's result for each item, in order of completion, as `map_processes` gives them."""
        if self.cluster is None:
            return map_processes(handler, job, items, self.processes)
        return results_of(self.crew(handler, job), items)

    def require_visible(self, files: Sequence[Path]) -> None:
        """Raises `InputError` where files that these workers wrote are not to be seen on this machine."""
        if self.cluster is not None:
            from veridical.base.cluster import require_visible

            require_visible(files)

    def crew(self, handler: Handler, job: Json) -> Crew:
        """Workers that take items as they come, until they are closed; raises `InputError` for a cluster that fails."""
        if self.cluster is None:
            return ProcessCrew(handler, job, self.processes)
        from veridical.base.cluster import ClusterCrew

        return ClusterCrew(handler, job, self.cluster)

    def facts(self) -> dict[str, Json]:
        """Where they are, as a run records it; raises `InputError` for a cluster that fails.

        >>> Workers(4).facts()
        {'processes': 4}
        """
        if self.cluster is None:
            return {"processes": self.processes}
        from veridical.base.cluster import nodes_of

        return {"cluster": self.cluster, "nodes": len(nodes_of(self.cluster))}


def drawing_workers(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options `workers` and `cluster` of a run for drawing its set: workers on a cluster are copies of a model.

    >>> drawing_workers({"workers": 2}), drawing_workers({"workers": 2, "cluster": "auto"})
    ({'workers': 2, 'cluster': None}, {'workers': None, 'cluster': 'auto'})
    """
    cluster = options.get("cluster")
    return {"workers": options.get("workers") if cluster is None else None, "cluster": cluster}
