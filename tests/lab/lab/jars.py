"""The jars of each Kafka version, and what is needed to fetch and run them."""

import fcntl
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent.parent
BUILD = HERE.parent.parent / ".build"
NEWEST = "4.4.0"
TESTED = ["3.9.2", NEWEST]
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>lab</groupId><artifactId>lab</artifactId><version>1</version><dependencies>%s</dependencies></project>
"""
ARTIFACTS = ["kafka_2.13", "connect-runtime", "connect-json"]
SERVICES = {"source.SourceConnector": "lab.LabSource", "sink.SinkConnector": "lab.LabSink"}


class Missing(Exception):
    """Something the machine lacks; the text says what to do."""


def need(version):
    """Refuses a machine on which this version of Kafka cannot run."""
    wanted = 17 if at_least(version, "4.0") else 11
    for tool in ("java", "javac", "jar"):
        if not shutil.which(tool):
            raise Missing(f"{tool} is missing: install a JDK {wanted} or later (Debian: default-jdk-headless)")
    said = subprocess.run(["java", "-version"], stdin=subprocess.DEVNULL, capture_output=True, text=True).stderr
    found = re.search(r'version "(?:1\.)?(\d+)', said)
    if found and int(found[1]) < wanted:
        raise Missing(f"Kafka {version} needs Java {wanted} or later; `java -version` says {found[1]}")
    if not (home(version) / "complete").exists() and not shutil.which("mvn"):
        raise Missing("mvn is missing: install Maven, which fetches Kafka's jars (Debian: maven)")


def home(version):
    """Where everything of one Kafka version lies."""
    return BUILD / f"kafka-{version}"


def fetched(version):
    """Whether the jars of this version are there already."""
    return (home(version) / "complete").exists()


def class_path(version):
    """The jars of one Kafka version, fetched once, with the connectors of this laboratory at the end."""
    at = home(version)
    at.mkdir(parents=True, exist_ok=True)
    with open(at / "lock", "w") as lock:  # clusters that start together fetch and compile once
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not fetched(version):
            fetch(version, at)
        jars = sorted(str(path) for path in at.glob("libs/*.jar"))
        jar = at / "lab-connectors.jar"
        sources = sorted((HERE / "connector/src").rglob("*.java"))
        if not jar.exists() or jar.stat().st_mtime < max(each.stat().st_mtime for each in sources):
            compile_connectors(at, jar, jars, sources)
    return ":".join([*jars, str(jar)])


def fetch(version, at):
    """Copies the jars of one version from Maven."""
    wanted = [("org.apache.kafka", name, version) for name in ARTIFACTS] + [("org.slf4j", "slf4j-simple", "1.7.36")]
    one = "<dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version></dependency>"
    (at / "pom.xml").write_text(POM % "".join(one % each for each in wanted))
    command = ["mvn", "-B", "-q", "-Dstyle.color=never", "dependency:copy-dependencies", "-DoutputDirectory=libs", "-DincludeScope=runtime"]
    done = subprocess.run(command, cwd=at, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        said = done.stdout.partition("[ERROR] ")[2].split("\n")[0] or done.stdout[-300:]
        raise Missing(f"Maven did not give the jars of Kafka {version}: {said}")
    for other in at.glob("libs/slf4j-*4j-*.jar"):  # a second binding beside slf4j-simple
        other.unlink()
    (at / "complete").touch()


def compile_connectors(at, jar, jars, sources):
    """Compiles the laboratory's own connectors against this version."""
    classes = at / "classes"
    shutil.rmtree(classes, ignore_errors=True)
    services = classes / "META-INF/services"
    services.mkdir(parents=True)
    for service, name in SERVICES.items():
        (services / f"org.apache.kafka.connect.{service}").write_text(f"{name}\n")
    subprocess.run(["javac", "--release", "11", "-cp", ":".join(jars), "-d", classes, *sources], check=True, stdin=subprocess.DEVNULL)
    new = jar.with_suffix(".new")
    subprocess.run(["jar", "cf", new, "-C", classes, "."], check=True, stdin=subprocess.DEVNULL)
    new.replace(jar)
    for archive in at.glob("*.jsa"):  # they are of the class path as it was
        archive.unlink()


def at_least(version, other):
    """Whether one version is the other or a later one."""

    def numbers(text):
        return [int(each) for each in re.findall(r"\d+", text)]

    return numbers(version) >= numbers(other)


def main():
    for version in sys.argv[1:] or TESTED:
        try:
            need(version)
            if not fetched(version):
                print(f"lab: jars of Kafka {version}", file=sys.stderr)
            class_path(version)
        except Missing as error:
            print(f"tests/lab/prepare: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
