"""Figures for Prometheus: requests by route and status, their durations, entries of each club."""

from __future__ import annotations

import os
from collections.abc import Iterator

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from handan.club.store.models import Club

SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""Names the folder through which several processes count together."""
REQUESTS = Counter("handan_requests", "Requests answered.", ["route", "method", "status"])
DURATIONS = Histogram(
    "handan_request_seconds",
    "Time to answer a request.",
    ["route"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0),
)


class Clubs(Collector):
    """The length of each club's ledger, read when it is asked."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Return the figures."""
        entries = GaugeMetricFamily("handan_entries", "Entries of a club's ledger.", labels=["club"])
        for slug, number in Club.objects.values_list("slug", "number"):
            entries.add_metric([slug], number)
        yield entries


def text() -> bytes:
    """Return all figures in the text format of Prometheus."""
    clubs = CollectorRegistry()
    clubs.register(Clubs())
    counted = REGISTRY
    if os.environ.get(SHARED):
        counted = CollectorRegistry()
        MultiProcessCollector(counted)  # type: ignore[no-untyped-call]  # the package does not say its types
    return generate_latest(counted) + generate_latest(clubs)
