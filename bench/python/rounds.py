"""Statistics of measurements. Rounds are {engine: [[milliseconds of a turn], ...]}."""

import math
import random
import statistics

OURS = "emulsion"


def geometric_mean(values):
    return math.exp(statistics.fmean(math.log(value) for value in values))


def p90(times):
    """The smallest time that at least 90 % of the runs do not exceed."""
    return sorted(times)[(len(times) * 9 + 9) // 10 - 1]


def flat(rounds):
    return [ms for times in rounds for ms in times]


def better_peer(rounds_by_engine):
    peers = {e: statistics.median(flat(r)) for e, r in rounds_by_engine.items() if e != OURS}
    return min(peers, key=peers.get)


def ratio(rounds_by_engine):
    """Our median over the better peer's."""
    peer = rounds_by_engine[better_peer(rounds_by_engine)]
    return statistics.median(flat(rounds_by_engine[OURS])) / statistics.median(flat(peer))


def interval(rounds_by_engine, samples=1000):
    """95 % percentile bootstrap of ratio(). Rounds are drawn, not runs: those of a turn are alike."""
    generator = random.Random(1)
    count = len(rounds_by_engine[OURS])
    ratios = []
    for _ in range(samples):
        drawn = generator.choices(range(count), k=count)
        ratios.append(ratio({e: [r[i] for i in drawn] for e, r in rounds_by_engine.items()}))
    ratios.sort()
    return [ratios[int(samples * 0.025)], ratios[int(samples * 0.975) - 1]]
