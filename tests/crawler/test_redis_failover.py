"""A Redis that becomes another: a replica that is promoted, a server that still reads its data."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import BusyLoadingError
from redis_audit import audit
from redis_process import RedisProcess, needs_redis, redis_with_tls

from crawler.frontier import Ack, Candidate, FrontierError, Policy
from crawler.frontier.redis import RedisFrontier

QUICK = Policy(delay=0, visits_per_host=1000, first_backoff=0)


def candidates(count: int) -> list[Candidate]:
    return [Candidate(f"http://host-{number}.test/") for number in range(count)]


async def until(server: RedisProcess, field: str, value: str) -> None:
    async with Redis.from_url(server.url) as redis:
        end = time.monotonic() + 20
        while (await redis.info("replication")).get(field) != value:
            assert time.monotonic() < end, f"{field} is not {value}"
            await asyncio.sleep(0.02)


def test_a_replica_is_waited_for_until_it_is_promoted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    needs_redis()
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        folder.mkdir()

    async def work(first: RedisProcess, second: RedisProcess) -> None:
        async with await RedisFrontier.open(first.url, "job", QUICK) as frontier:
            await frontier.add(candidates(5))
            done, held = await frontier.lease(2)
            await frontier.ack(done, "kept")
            async with Redis.from_url(first.url) as redis:
                await redis.wait(1, 5000)
            # As a name that is moved to the other server.
            async with await RedisFrontier.attach(second.url, "job") as moved:
                frontier.job.server = moved.job.server
                frontier.job.server.patience = 30
                leasing = asyncio.create_task(frontier.lease(1))
                await asyncio.sleep(0.3)
                assert not leasing.done()
                first.stop()
                async with Redis.from_url(second.url) as redis:
                    await redis.replicaof("NO", "ONE")
                (lease,) = await leasing
                assert lease.token > held.token
                assert await frontier.ack_all([Ack(lease, "kept"), Ack(held, "kept")]) == []
                assert (await frontier.stats()).done == 3

    with RedisProcess(folders[0]) as first:
        option = ("--replicaof", "127.0.0.1", str(first.port))
        with RedisProcess(folders[1], *option) as second, caplog.at_level(logging.WARNING):
            asyncio.run(until(second, "master_link_status", "up"))
            asyncio.run(work(first, second))
            asyncio.run(audit(second.url, "job"))
    assert "read only" in caplog.text


def test_a_server_that_still_reads_its_data_is_waited_for(tmp_path: Path) -> None:
    needs_redis()
    slow = ("--key-load-delay", "1000")

    async def work(server: RedisProcess) -> None:
        there = f"unix://{server.socket}"
        async with await RedisFrontier.open(there, "job", QUICK) as frontier:
            await frontier.add(candidates(500))
            (lease,) = await frontier.lease(1)
            async with Redis.from_url(there) as redis:
                # While it loads, it answers after every two megabytes.
                for number in range(12):
                    await redis.set(f"ballast-{number}", os.urandom(2**20))
                await redis.save()
            server.stop()
            impatient = Redis.from_url(there, retry=Retry(NoBackoff(), 0))
            with RedisProcess(tmp_path, *slow):
                async with impatient as redis:
                    with pytest.raises(BusyLoadingError):
                        await redis.ping()
                assert await frontier.ack(lease, "kept")
                assert (await frontier.stats()).queued == 499

    with RedisProcess(tmp_path) as server:
        asyncio.run(work(server))


def test_tls_is_spoken_with_who_has_the_certificate(tmp_path: Path) -> None:
    needs_redis()
    certificate, key = _certificate(tmp_path)
    with RedisProcess(tmp_path) as free:
        port = free.port
    options = ("--tls-cert-file", str(certificate), "--tls-key-file", str(key))
    other = ("--tls-port", str(port), "--tls-auth-clients", "no")

    async def work(query: str) -> int:
        url = f"rediss://127.0.0.1:{port}/0{query}"
        async with await RedisFrontier.open(url, "job", QUICK) as frontier:
            return await frontier.add(candidates(3))

    with redis_with_tls(tmp_path, *options, *other):
        assert asyncio.run(work(f"?ssl_ca_certs={certificate}")) == 3
        with pytest.raises(FrontierError, match="certificate verify failed"):
            asyncio.run(work(""))


def _certificate(folder: Path) -> tuple[Path, Path]:
    """Files of a certificate for 127.0.0.1, which signs itself, and of its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    address = x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(address, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    paths = folder / "redis.crt", folder / "redis.key"
    paths[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    paths[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return paths
