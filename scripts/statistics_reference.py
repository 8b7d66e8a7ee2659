#!/usr/bin/env python3
"""Computes tests/corpus/statistics.json: figures that src/stats is checked against.

Needs scipy and statsmodels (pip install scipy statsmodels). Nothing here shares code with the
library: intervals and tests come from SciPy and statsmodels, repeats are counted by listing every
choice, and the bootstrap is taken over every possible resample instead of random ones.
"""

import itertools
import json
import pathlib

import numpy
from scipy import optimize, stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint


def wilson():
    cases = [(0, 20), (1, 29), (3, 9), (16, 117), (54, 117), (115, 117), (117, 117), (500, 2000)]
    for k, n in cases:
        interval = stats.binomtest(k, n).proportion_ci(method="wilson")
        again = proportion_confint(k, n, method="wilson")
        assert abs(interval.low - again[0]) < 1e-9 and abs(interval.high - again[1]) < 1e-9
        yield {"successes": k, "n": n, "low": interval.low, "high": interval.high}


def mcnemar():
    for first, second in [(0, 1), (1, 7), (2, 10), (7, 7), (12, 31), (3, 40), (210, 260)]:
        p = stats.binomtest(first, first + second, 0.5).pvalue
        yield {"only_first": first, "only_second": second, "p": p}


def holm():
    for raw in [[0.01, 0.04, 0.03], [0.5, 0.5], [0.001, 0.2, 0.049, 0.012, 0.9], [0.02]]:
        yield {"raw": raw, "adjusted": list(multipletests(raw, method="holm")[1])}


def repeats():
    for n in range(1, 7):
        for leaks in range(n + 1):
            ends = [True] * leaks + [False] * (n - leaks)
            for k in range(1, n + 1):
                choices = list(itertools.combinations(ends, k))
                any_leak = sum(any(choice) for choice in choices) / len(choices)
                yield {"n": n, "leaks": leaks, "k": k, "any": any_leak}


def bootstrap():
    """Every resample of a few clusters: the distribution that random ones approach."""
    for clusters in [
        [(1, 3), (0, 2), (4, 4), (2, 5), (1, 1), (3, 6)],
        [(0, 4), (4, 4), (2, 4), (1, 4), (3, 4), (4, 4)],
    ]:
        ratios = [
            sum(a for a, _ in sample) / sum(b for _, b in sample)
            for sample in itertools.product(clusters, repeat=len(clusters))
        ]
        low, high = numpy.quantile(ratios, [0.025, 0.975])
        yield {"clusters": clusters, "low": low, "high": high}


def paired():
    for clusters in [
        [((1, 3), (2, 3)), ((0, 2), (0, 2)), ((1, 4), (4, 4)), ((2, 5), (3, 5)), ((1, 1), (0, 1)), ((3, 6), (5, 6))],
    ]:
        differences = []
        for sample in itertools.product(clusters, repeat=len(clusters)):
            first = sum(a for (a, _), _ in sample) / sum(b for (_, b), _ in sample)
            second = sum(a for _, (a, _) in sample) / sum(b for _, (_, b) in sample)
            differences.append(second - first)
        low, high = numpy.quantile(differences, [0.025, 0.975])
        yield {"clusters": clusters, "low": low, "high": high}


def power():
    for pairs, discordant, effect in [(50, 0.3, 1.0), (117, 0.3, 1.0), (117, 0.3, 2.02), (117, 0.6, 1.74), (1000, 0.1, 1.0)]:
        at_level, at_power = stats.norm.ppf(0.975), stats.norm.ppf(0.8)
        size = pairs / effect

        def beyond(d):
            needed = (at_level * discordant**0.5 + at_power * (discordant - d * d) ** 0.5) ** 2 / (d * d)
            return size - needed

        yield {
            "pairs": pairs,
            "discordant": discordant,
            "design_effect": effect,
            "difference": optimize.brentq(beyond, 1e-6, min(discordant, discordant**0.5 - 1e-9), xtol=1e-13),
        }


def design_effect():
    """One-way random-effects analysis of variance on the single observations."""
    for families in [[[1, 1, 0], [0, 0], [1, 1, 1, 1], [0, 1]], [[1, 0], [0, 1], [1, 1], [0, 0], [1, 0, 0, 0]]]:
        values = numpy.concatenate([numpy.array(family, float) for family in families])
        sizes = numpy.array([len(family) for family in families], float)
        grand = values.mean()
        means = numpy.array([numpy.mean(family) for family in families])
        between = (sizes * (means - grand) ** 2).sum() / (len(families) - 1)
        within = sum(((numpy.array(family) - mean) ** 2).sum() for family, mean in zip(families, means))
        within /= len(values) - len(families)
        f = stats.f_oneway(*families).statistic
        assert abs(f - between / within) < 1e-9
        typical = (len(values) - (sizes**2).sum() / len(values)) / (len(families) - 1)
        icc = max(0.0, (between - within) / (between + (typical - 1) * within))
        yield {"families": families, "effect": 1 + ((sizes**2).sum() / sizes.sum() - 1) * icc}


def main():
    groups = [wilson, mcnemar, holm, repeats, bootstrap, paired, power, design_effect]
    figures = {group.__name__: list(group()) for group in groups}
    place = pathlib.Path(__file__).parent.parent / "tests" / "corpus" / "statistics.json"
    lines = ",\n".join(
        f'"{name}": [\n' + ",\n".join(f"  {json.dumps(case)}" for case in cases) + "\n]" for name, cases in figures.items()
    )
    place.write_text("{\n" + lines + "\n}\n")


main()
