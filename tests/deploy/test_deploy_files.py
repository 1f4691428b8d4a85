"""What ``deploy/`` says, as far as it can be checked without an engine that runs it."""

from __future__ import annotations

import argparse
import ast
import configparser
import ipaddress
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from dockerfile import instructions, is_sent, of_dockerfile, variables
from scrapy.utils.conf import arglist_to_dict

import live.command
import pipelines.commands.schedule
from crawler import logs
from genre_crawler.scrapy_commands.crawl import _ARGUMENTS
from live.place import TOKEN
from pipelines.reading.worker_pool import READ_SECONDS
from settings import load_job
from settings.frontier_address import frontier_url
from settings.quantities import seconds

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
JOB = DEPLOY / "job.toml"
KUBECTL = shutil.which("kubectl")
MANIFESTS = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
LONGEST_END = READ_SECONDS + 20  # beyond limits.page_time: the reading, and the last shard


def documents(path: Path) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(path.read_text()))


def manifest(file: str, kind: str) -> dict[str, Any]:
    (found,) = [one for one in documents(DEPLOY / "kubernetes" / file) if one["kind"] == kind]
    return found


def pod(file: str, kind: str) -> dict[str, Any]:
    spec: dict[str, Any] = manifest(file, kind)["spec"]["template"]["spec"]
    return spec


def compose() -> dict[str, Any]:
    (found,) = documents(DEPLOY / "compose.yaml")
    return found


def scheduler() -> configparser.SectionProxy:
    """What systemd is told of the scheduler's service."""
    unit = configparser.ConfigParser()
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(DEPLOY / "systemd/genre-crawler-schedule.service")
    return unit["Service"]


def crawl_commands() -> Iterator[list[str]]:
    yield compose()["services"]["worker"]["command"]
    yield pod("workers.yaml", "Job")["containers"][0]["args"]


def watch_commands() -> Iterator[tuple[list[str], list[str]]]:
    """How the page of the fleet is started: the program, and its arguments."""
    service = compose()["services"]["live"]
    yield service["entrypoint"], service["command"]
    (container,) = pod("live.yaml", "Deployment")["containers"]
    yield container["command"], container["args"]


def check_redis(arguments: list[str]) -> int:
    """It keeps what it confirmed, and is full before it is killed; at how many gigabytes."""
    options = dict(zip(arguments[::2], arguments[1::2], strict=True))
    assert options["--appendonly"] == "yes"
    assert options["--maxmemory-policy"] == "noeviction"
    return int(options["--maxmemory"].removesuffix("gb"))


class TestDockerfile:
    def test_it_installs_our_wheel_and_what_that_requires(self) -> None:
        *_, requirements, wheel, _ = of_dockerfile("RUN")
        assert requirements.startswith("--mount=type=bind,source=requirements.txt,target=/requ")
        assert requirements.endswith(" pip install --no-cache-dir -r /requirements.txt")
        assert wheel.startswith("--mount=type=bind,target=/source,rw pip install ")
        assert wheel.endswith(" --no-deps /source")

    def test_the_engine_gets_what_it_needs_and_no_more(self) -> None:
        (copy,) = of_dockerfile("COPY")
        assert (ROOT / copy.split()[0]).is_file()
        assert is_sent(copy.split()[0])
        assert not any(map(is_sent, ("tests", "benchmarks", "docs", "runs", ".git", ".venv")))

    def test_it_runs_as_a_normal_user_under_an_init_process(self) -> None:
        (user,) = of_dockerfile("USER")
        assert int(user) >= 1000
        (entry,) = of_dockerfile("ENTRYPOINT")
        assert ast.literal_eval(entry) == ["tini", "--", "python", "-m", "scrapy"]
        names = [name for name, _ in instructions()]
        assert names.index("USER") > max(i for i, name in enumerate(names) if name == "RUN")

    def test_it_brings_a_browser_and_the_init_process(self) -> None:
        installed = shlex.split(of_dockerfile("RUN")[0])
        assert {"chromium-headless-shell", "tini", "libgomp1", "fonts-noto-cjk"} <= set(installed)

    def test_its_variables_are_known(self) -> None:
        found = variables()
        config = configparser.ConfigParser()
        config.read(ROOT / "scrapy.cfg")
        assert config.has_option("settings", found.pop("SCRAPY_PROJECT"))
        assert found.pop(logs.VARIABLE) == "json"
        assert found == {"PYTHONUNBUFFERED": "1"}


class TestCommands:
    @pytest.mark.parametrize("command", list(crawl_commands()), ids=["compose", "kubernetes"])
    def test_they_are_such_as_the_program_takes(self, command: list[str]) -> None:
        assert command[:2] == ["crawl", "corpus"]
        options = list(zip(command[2::2], command[3::2], strict=True))
        given = arglist_to_dict([value for option, value in options if option == "-a"])
        assert given["job"] == "/job/job.toml"
        assert set(given) <= set(_ARGUMENTS)
        (setting,) = [value for option, value in options if option == "-s"]
        name, _, url = setting.partition("=")
        assert name == "FRONTIER"
        frontier_url(url.replace("$(REDIS_PASSWORD)", "abc"))

    @pytest.mark.parametrize(
        ("program", "arguments"), list(watch_commands()), ids=["compose", "kubernetes"]
    )
    def test_the_page_is_served_to_other_containers(
        self, program: list[str], arguments: list[str]
    ) -> None:
        assert program == ["tini", "--", "python", "-m", "live"]
        parser = argparse.ArgumentParser()
        live.command.add_arguments(parser)
        given = parser.parse_args(arguments)
        assert given.job == Path("/job/job.toml")
        assert ipaddress.ip_address(given.address).is_unspecified
        frontier_url(given.frontier.replace("$(REDIS_PASSWORD)", "abc"))

    def test_the_scheduler_is_started_by_one(self) -> None:
        program, command, *words = scheduler()["ExecStart"].split()
        assert (Path(program).name, command) == ("genre-crawler", "schedule")
        parser = argparse.ArgumentParser()
        pipelines.commands.schedule.add_arguments(parser)
        assert parser.parse_args(words).action == "run"

    def test_the_image_does_one_of_them_by_itself(self) -> None:
        (command,) = of_dockerfile("CMD")
        assert ast.literal_eval(command) == ["crawl", "corpus", "-a", "job=/job/job.toml"]

    def test_the_job_is_one_and_is_kept_in_the_volume(self) -> None:
        job = load_job(JOB)
        assert job.folder == Path("/data")
        assert of_dockerfile("VOLUME") == ["/data"]


class TestGrace:
    """SIGTERM is followed by SIGKILL no sooner than what is in work may take."""

    def test_it_is_longer_than_a_page_may_take(self) -> None:
        longest = load_job(JOB).limits.page_time + LONGEST_END
        assert pod("workers.yaml", "Job")["terminationGracePeriodSeconds"] > longest
        worker = compose()["services"]["worker"]
        assert seconds(worker["stop_grace_period"].replace("m", "min")) > longest
        assert seconds(scheduler()["TimeoutStopSec"] + "s") > longest

    def test_a_signal_reaches_a_crawl_only_once(self) -> None:
        assert scheduler()["KillMode"] == "mixed"

    def test_a_failed_worker_comes_back_and_a_finished_one_does_not(self) -> None:
        assert pod("workers.yaml", "Job")["restartPolicy"] == "OnFailure"
        assert compose()["services"]["worker"]["restart"] == "on-failure"


class TestLimits:
    """A worker has a process that reads pages for each core that it may use."""

    def test_a_large_machine_gives_a_worker_no_more_processes_than_fit_its_memory(self) -> None:
        in_compose = compose()["services"]["worker"]["deploy"]["resources"]["limits"]
        (container,) = pod("workers.yaml", "Job")["containers"]
        assert in_compose == {"cpus": "2", "memory": "4G"}
        assert container["resources"]["limits"] == {"cpu": "2", "memory": "4Gi"}


class TestCompose:
    def test_what_it_mounts_and_builds_is_there(self) -> None:
        found = compose()
        worker = found["services"]["worker"]
        context = (DEPLOY / worker["build"]["context"]).resolve()
        assert context == ROOT
        assert (context / worker["build"]["dockerfile"]).is_file()
        images = {one["image"] for name, one in found["services"].items() if name != "redis"}
        assert images == {worker["image"]}
        for service in found["services"].values():
            for mount in service["volumes"]:
                source = mount.split(":")[0]
                known = (DEPLOY / source).is_file() if "/" in source else source in found["volumes"]
                assert known, mount
            assert set(service["networks"]) <= found["networks"].keys()

    def test_the_page_is_for_this_machine_and_for_who_joins_its_network(self) -> None:
        service = compose()["services"]["live"]
        port = load_job(JOB).live.port
        assert service["ports"] == [f"127.0.0.1:{port}:{port}"]
        assert set(service["networks"]) == {"inside", "watching"}
        assert service["environment"] == {TOKEN: f"${{{TOKEN}:-}}"}
        assert str(port) in service["healthcheck"]["test"][-1]
        ast.parse(service["healthcheck"]["test"][-1])

    def test_redis_keeps_what_it_confirmed_and_nobody_else_reaches_it(self) -> None:
        found = compose()
        redis = found["services"]["redis"]
        assert "ports" not in redis
        assert redis["networks"] == ["inside"]
        assert found["networks"]["inside"]["internal"]
        check_redis(redis["command"][1:])


class TestKubernetes:
    @pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.name)
    def test_each_document_is_a_named_object(self, path: Path) -> None:
        for one in documents(path):
            assert {"apiVersion", "kind"} <= one.keys()
            assert one["metadata"].keys() & {"name", "generateName"}

    def test_the_kustomization_names_what_is_there(self) -> None:
        (kustomization,) = documents(DEPLOY / "kustomization.yaml")
        files = {DEPLOY / path for path in kustomization["resources"]}
        assert files == {path for path in MANIFESTS if path.name != "merge.yaml"}
        (generator,) = kustomization["configMapGenerator"]
        (job,) = [one for one in pod("workers.yaml", "Job")["volumes"] if "configMap" in one]
        assert job["configMap"]["name"] == generator["name"]
        # Kustomize refuses one that does not lie beside it or below.
        assert generator["files"] == [JOB.name]

    @pytest.mark.skipif(KUBECTL is None, reason="kubectl is not installed")
    def test_the_kustomization_is_built_by_its_command(self) -> None:
        done = subprocess.run(  # noqa: S603 - a tool that the machine has
            [str(KUBECTL), "kustomize", DEPLOY], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        built = list(yaml.safe_load_all(done.stdout))
        (job,) = [one["data"] for one in built if one["kind"] == "ConfigMap"]
        assert job == {"job.toml": JOB.read_text()}
        own = [one for path in MANIFESTS if path.name != "merge.yaml" for one in documents(path)]
        assert len(built) == len(own) + 1

    @pytest.mark.parametrize(
        ("file", "kind"),
        [
            ("workers.yaml", "Job"),
            ("merge.yaml", "Job"),
            ("redis.yaml", "StatefulSet"),
            ("live.yaml", "Deployment"),
        ],
    )
    def test_a_container_mounts_and_reads_what_its_pod_has(self, file: str, kind: str) -> None:
        spec = pod(file, kind)
        claims = manifest(file, kind)["spec"].get("volumeClaimTemplates", [])
        volumes = {one["name"] for one in spec.get("volumes", [])}
        volumes |= {one["metadata"]["name"] for one in claims}
        assert spec["securityContext"]["runAsNonRoot"]
        for container in spec["containers"]:
            assert {one["name"] for one in container["volumeMounts"]} <= volumes
            variables = {one["name"] for one in container.get("env", [])}
            text = " ".join(container["args"]) + str(container["volumeMounts"])
            assert {part.split(")")[0] for part in text.split("$(")[1:]} == variables - {TOKEN}

    def test_redis_is_full_before_it_is_killed(self) -> None:
        (redis,) = pod("redis.yaml", "StatefulSet")["containers"]
        limit = int(redis["resources"]["limits"]["memory"].removesuffix("Gi"))
        # While it rewrites its log it needs more than its data.
        assert check_redis(redis["args"]) <= 0.7 * limit

    def test_workers_and_their_page_reach_redis_and_only_they(self) -> None:
        labels = [
            manifest(file, kind)["spec"]["template"]["metadata"]["labels"]
            for file, kind in (("workers.yaml", "Job"), ("live.yaml", "Deployment"))
        ]
        (rule,) = manifest("redis.yaml", "NetworkPolicy")["spec"]["ingress"]
        assert rule["from"] == [{"podSelector": {"matchLabels": one}} for one in labels]
        service = manifest("redis.yaml", "Service")
        (url,) = [part for part in next(reversed(list(crawl_commands()))) if "redis://" in part]
        assert f"@{service['metadata']['name']}:{service['spec']['ports'][0]['port']}/" in url

    def test_the_page_is_for_the_cluster_and_has_a_secret_token(self) -> None:
        service = manifest("live.yaml", "Service")["spec"]
        port = load_job(JOB).live.port
        assert service.keys() == {"selector", "ports"}, "no other type than ClusterIP"
        assert [one["port"] for one in service["ports"]] == [port]
        (container,) = pod("live.yaml", "Deployment")["containers"]
        assert [one["containerPort"] for one in container["ports"]] == [port]
        (token,) = [one for one in container["env"] if one["name"] == TOKEN]
        assert token["valueFrom"] == {"secretKeyRef": {"name": "live", "key": "token"}}

    def test_prometheus_finds_the_page_in_both(self) -> None:
        (found,) = documents(DEPLOY / "prometheus" / "prometheus.yaml")
        (scraped,) = found["scrape_configs"]
        name = manifest("live.yaml", "Service")["metadata"]["name"]
        assert name in compose()["services"]
        port = load_job(JOB).live.port
        assert scraped["static_configs"] == [{"targets": [f"{name}:{port}"]}]
        assert scraped["authorization"].keys() == {"credentials_file"}
        assert all((DEPLOY / "prometheus" / rules).is_file() for rules in found["rule_files"])

    def test_each_worker_has_a_folder_of_its_own_which_the_merge_names(self) -> None:
        job = manifest("workers.yaml", "Job")["spec"]
        assert job["completionMode"] == "Indexed"
        assert job["completions"] == job["parallelism"]
        args = pod("merge.yaml", "Job")["containers"][0]["args"]
        assert args[:3] == ["corpus", "merge", "/data/merged"]
        assert args[3:] == [f"/data/worker-{n}/corpus" for n in range(job["completions"])]

    def test_the_image_is_pulled_by_the_name_that_the_documentation_pushes(self) -> None:
        (pulled,) = documents(DEPLOY / "kustomization.yaml")[0]["images"]
        assert pulled["name"] == compose()["services"]["worker"]["image"]
        page = (ROOT / "docs/how-to/many-workers.md").read_text()
        assert f"docker push {pulled['newName']}:{pulled['newTag']}\n" in page

    def test_the_image_is_that_of_compose(self) -> None:
        image = compose()["services"]["worker"]["image"]
        pods = [("workers.yaml", "Job"), ("merge.yaml", "Job"), ("live.yaml", "Deployment")]
        for file, kind in pods:
            assert pod(file, kind)["containers"][0]["image"] == image
