"""A PostgreSQL of its own for tests, where its programs are installed."""

import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
import sqlalchemy as sa

PASSWORD = "hunter2-not-in-any-file"
_NUMBERS = count()


def programs():
    """The folder of PostgreSQL's programs; skips where there is none, or no user whom it may run as."""
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not places:
        pytest.skip("no PostgreSQL on this machine")
    if os.getuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("PostgreSQL does not run as root, and there is no setpriv")
    return places[-1].parent


class Cluster:
    """A PostgreSQL server on a socket in a folder."""

    def __init__(self, folder):
        self.folder, self._programs = folder, programs()

    def call(self, program, *words):
        user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
        whole = [*user, str(self._programs / program), *words]
        subprocess.run(whole, check=True, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start(self):
        options = f"-k {self.folder} -c listen_addresses='' -c fsync=off -c max_connections=120"
        self.call("pg_ctl", "-D", str(self.folder / "data"), "-w", "-o", options, "start")

    def stop(self):
        self.call("pg_ctl", "-D", str(self.folder / "data"), "-w", "-m", "immediate", "stop")

    def address(self, name="postgres"):
        return f"postgresql+psycopg://postgres:{PASSWORD}@/{name}?host={self.folder}"

    def database(self):
        """The address of a new database."""
        name = f"study{next(_NUMBERS)}"
        engine = sa.create_engine(self.address(), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(sa.text(f"CREATE DATABASE {name} TEMPLATE template0"))
        engine.dispose()
        return self.address(name)


@contextmanager
def running_cluster():
    memory = Path("/dev/shm")
    cluster = Cluster(Path(tempfile.mkdtemp(prefix="pg-", dir=memory if memory.is_dir() else None)))
    secret = cluster.folder / "password"
    secret.write_text(PASSWORD)
    if os.getuid() == 0:
        shutil.chown(cluster.folder, "postgres", "postgres")
        shutil.chown(secret, "postgres", "postgres")
    words = ("-D", str(cluster.folder / "data"), "-U", "postgres", "-A", "scram-sha-256", f"--pwfile={secret}")
    cluster.call("initdb", "--no-sync", "--no-locale", "-E", "UTF8", *words)
    cluster.start()
    try:
        yield cluster
    finally:
        cluster.stop()
        shutil.rmtree(cluster.folder)
