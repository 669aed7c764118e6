"""The variables that a scheduler sets for the tasks of a job."""


def array(least, most, step, task, count=None):
    words = {"ID": task, "MIN": least, "MAX": most, "STEP": step}
    words |= {} if count is None else {"COUNT": count}
    return {f"SLURM_ARRAY_TASK_{name}": str(value) for name, value in words.items()}
