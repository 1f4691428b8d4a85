"""What another scheduler cannot be told, and what is said instead."""

from __future__ import annotations

from pathlib import Path

import pytest
from schedules import job

from crawler.schedule.export.errors import ExportError
from crawler.schedule.export.kubernetes import kubernetes_manifest
from crawler.schedule.export.systemd import systemd_units

IN_VOLUME = '\n[outputs]\nfolder = "/data"\n'
IN_REDIS = '[frontier]\nurl = "redis://:secret@redis:6379/0"\n'


@pytest.mark.parametrize(
    ("schedule", "told"),
    [
        ('every = "1h"\non_overlap = "wait"', 'on_overlap is "wait"; it must be "skip"'),
        (
            'cron = "0 3 * * 5L"',
            r'cron is "0 3 \* \* 5L"; what stands there for the last or the n-th',
        ),
        ('cron = "0 3 LW * *"', "cannot be exported"),
    ],
)
def test_systemd_cannot_be_told(schedule: str, told: str) -> None:
    with pytest.raises(ExportError, match=told):
        systemd_units(job(schedule), Path("/job.toml"), program=Path("/a"), folder=Path("/"))


def test_a_redis_is_named_to_systemd_but_not_its_password() -> None:
    def service(url: str) -> str:
        here = Path("/job.toml")
        made = systemd_units(
            job('every = "1h"'), here, program=Path("/a"), folder=Path("/"), frontier=url
        )
        return made["genre-crawler-a.service"]

    assert 'ExecStart="/a" "crawl" "/job.toml" "--frontier" "redis://b/0"\n' in service(
        "redis://b/0"
    )
    with pytest.raises(ExportError, match="everybody could read in the unit"):
        service("redis://:secret@b/0")


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ('cron = "0 3 L * *"' + IN_VOLUME, "cannot be exported"),
        ('every = "7h"' + IN_VOLUME, 'every is "7h"; for a cron it must be whole minutes'),
        ('every = "1h"\njitter = "5min"' + IN_VOLUME, "Kubernetes has none"),
        ('every = "1h"\nuntil = 2031-01-01' + IN_VOLUME, "until cannot be told"),
        ('every = "1h"', 'folder is not set; it must be in the volume, as "/data"'),
        ('every = "1h"' + IN_VOLUME + IN_REDIS, "everybody could read in the manifest"),
    ],
)
def test_kubernetes_cannot_be_told(lines: str, told: str) -> None:
    with pytest.raises(ExportError, match=told):
        kubernetes_manifest(job(lines), "", image="a", claim="b")


def test_several_workers_need_redis() -> None:
    with pytest.raises(ExportError, match="4 workers need a frontier in Redis"):
        kubernetes_manifest(job('every = "1h"' + IN_VOLUME), "", image="a", claim="b", workers=4)
