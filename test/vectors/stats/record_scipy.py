"""Records values of SciPy and statsmodels: python3 record_scipy.py > scipy.json"""
import itertools
import json
import warnings

import numpy as np
import scipy
import statsmodels
import statsmodels.api as sm
from scipy import optimize, stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower
from statsmodels.stats.proportion import proportion_confint

warnings.simplefilter("ignore")
rng = np.random.RandomState(20240611)
cases = {}


def record(name, call, rows):
    cases[name] = {"call": call, "cases": rows}


points = [0, 0.1, 0.5, 1, 1.96, 2.4999, 2.5, 3, 5, 8, 12, 20, 35]
record("normal_share_above", "scipy.stats.norm.sf(point)",
       [{"point": x, "value": float(stats.norm.sf(x))} for x in points])
record("normal_quantile", "scipy.stats.norm.ppf(share)",
       [{"share": p, "value": float(stats.norm.ppf(p))}
        for p in [1e-300, 1e-100, 1e-20, 1e-9, 0.001, 0.025, 0.2, 0.5, 0.8, 0.975, 0.999, 1 - 1e-9]])

record("binomial_share_up_to", "scipy.stats.binom.cdf(successes, trials, rate)",
       [{"successes": k, "trials": n, "rate": p, "value": float(stats.binom.cdf(k, n, p))}
        for n, p, ks in [(1, 0.5, [0, 1]), (8, 0.5, [0, 1, 4, 7]), (22, 0.5, [6, 11]),
                         (100, 0.3, [10, 30, 55]), (1000, 0.01, [0, 10, 25]),
                         (10_000, 0.5, [4700, 4950, 5000]), (1_000_000, 0.5, [495_000, 499_000, 500_000]),
                         (1_000_000, 0.001, [900, 1000])]
        for k in ks])
record("binomial_chance", "scipy.stats.binom.pmf(successes, trials, rate)",
       [{"successes": k, "trials": n, "rate": p, "value": float(stats.binom.pmf(k, n, p))}
        for k, n, p in [(0, 5, 0.2), (5, 5, 0.2), (3, 5, 0.2), (50, 100, 0.5), (500_000, 1_000_000, 0.5),
                        (7, 1_000_000, 1e-5), (0, 0, 0.5)]])
record("chi_square_share_above", "scipy.stats.chi2.sf(value, degrees)",
       [{"point": x, "degrees": k, "value": float(stats.chi2.sf(x, k))}
        for k in [1, 2, 3, 10, 99, 1000]
        for x in [0.01, k * 0.5, k, k + 3 * (2 * k) ** 0.5, 3 * k + 40]])
record("student_share_above", "scipy.stats.t.sf(value, degrees)",
       [{"point": x, "degrees": k, "value": float(stats.t.sf(x, k))}
        for k in [1, 2, 5, 30, 1000] for x in [0, 0.5, 1.96, 4, 12]])

record("wilson", "statsmodels.stats.proportion.proportion_confint(successes, count, 1 - level, 'wilson')",
       [{"successes": k, "count": n, "level": level,
         "value": [float(x) for x in proportion_confint(k, n, 1 - level, "wilson")]}
        for k, n, level in [(1, 10, 0.95), (8, 10, 0.95), (81, 263, 0.95), (15, 148, 0.99), (5000, 10_000, 0.9)]])

record("mcnemar",
       "statsmodels.stats.contingency_tables.mcnemar([[0, onlyB], [onlyA, 0]], exact=True).pvalue; the same with "
       "exact=False, correction=True",
       [{"onlyA": a, "onlyB": b,
         "exact": float(mcnemar([[0, b], [a, 0]], exact=True).pvalue),
         "asymptotic": float(mcnemar([[0, b], [a, 0]], exact=False, correction=True).pvalue)}
        for a, b in [(1, 7), (7, 1), (16, 6), (0, 5), (0, 6), (10, 25), (121, 59), (1000, 1100), (5200, 4700)]])

holm_cases = [[0.01, 0.04, 0.03], [0.001, 0.8, 0.02, 0.02], [0.5], [0.9, 0.95], [1, 0, 0.3],
              [float(x) for x in np.round(rng.uniform(size=12) ** 3, 6)]]
record("holm", "statsmodels.stats.multitest.multipletests(values, method='holm')[1]",
       [{"values": p, "value": [float(x) for x in multipletests(p, method="holm")[1]]} for p in holm_cases])

differences = [[0.3, -0.1, 0.2, 0.4, 0.05, 0.25], [1, 1, 1, -1, 0.5, 0, 0], [0.1, 0.1, 0.1],
               [float(x) for x in np.round(rng.normal(0.3, 1, size=12), 3)],
               [float(x) for x in np.round(rng.normal(0.1, 1, size=16), 3)]]
record("permutation_exact",
       "scipy.stats.permutation_test((d,), np.mean, permutation_type='samples', n_resamples=np.inf).pvalue",
       [{"differences": d,
         "value": float(stats.permutation_test((np.array(d),), lambda x, axis: np.mean(x, axis=axis),
                                               permutation_type="samples", n_resamples=np.inf).pvalue)}
        for d in differences])
many = [float(x) for x in np.round(rng.exponential(1, size=60) - 0.75, 3)]
record("permutation_sampled", "the same with n_resamples=999999, random_state=1",
       [{"differences": many,
         "value": float(stats.permutation_test((np.array(many),), lambda x, axis: np.mean(x, axis=axis),
                                               permutation_type="samples", n_resamples=999_999, batch=1000,
                                               random_state=1).pvalue)}])

skewed = [float(x) for x in np.round(rng.exponential(1, size=40), 3)]
even = [float(x) for x in np.round(rng.normal(2, 1, size=100), 3)]
for name in ["percentile", "BCa"]:
    record(f"bootstrap_{name.lower()}",
           f"scipy.stats.bootstrap((values,), np.mean, n_resamples=200000, method='{name}', random_state=1)",
           [{"values": v,
             "value": [float(x) for x in stats.bootstrap(
                 (np.array(v),), np.mean, n_resamples=200_000, batch=2000, method=name,
                 random_state=1).confidence_interval]}
            for v in [skewed, even]])


def weighed_quantile(values, share, seed):
    """A mean in which all values weigh by chance: NumPy's Dirichlet weights, drawn a million times."""
    draws = np.random.RandomState(seed)
    means = np.concatenate([draws.dirichlet(np.ones(len(values)), size=100_000) @ np.array(values)
                            for _ in range(10)])
    return float(np.quantile(means, share))


def bounded_interval(values, low, high, level):
    tail = (1 - level) / 2
    return [weighed_quantile(values + [low], tail, 1), weighed_quantile(values + [high], 1 - tail, 2)]


bounded_rng = np.random.RandomState(16)
thirds = [float(x) for x in np.round(bounded_rng.binomial(3, 0.97, size=40) / 3, 6)]
rare = [0.0] * 18 + [0.2, 0.7]
beta_values = [float(x) for x in np.round(bounded_rng.beta(2, 6, size=50), 4)]
signed = [0.0] * 20 + [0.5, -0.25, 1.0]
record("bounded_mean",
       "numpy.quantile(numpy.random.dirichlet(ones, 1000000) @ [*values, bound], tail), with the lowest value as bound for "
       "the lower end and the highest for the upper",
       [{"values": v, "range": [low, high], "level": level, "value": bounded_interval(v, low, high, level)}
        for v, low, high, level in [(rare, 0, 1, 0.95), (thirds, 0, 1, 0.95), (beta_values, 0, 1, 0.95),
                                    (beta_values, 0, 1, 0.99), (signed, -1, 1, 0.95), ([0.5] * 12, 0, 1, 0.9)]])
record("clopper_pearson", "statsmodels.stats.proportion.proportion_confint(successes, count, 1 - level, 'beta')",
       [{"successes": k, "count": n, "level": level,
         "value": [float(x) for x in proportion_confint(k, n, 1 - level, "beta")]}
        for k, n, level in [(0, 20, 0.95), (1, 20, 0.95), (10, 20, 0.95), (38, 40, 0.95), (97, 100, 0.99),
                            (3, 5, 0.9)]])


def clusters_case(sizes):
    groups = [g for g, size in enumerate(sizes) for _ in range(size)]
    effects = rng.normal(0, 1, size=len(sizes))
    values = [float(x) for x in np.round([effects[g] + rng.normal(0, 0.5) for g in groups], 3)]
    fit = sm.OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": np.array(groups)})
    fit_t = sm.OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": np.array(groups)},
                                                     use_t=True)
    return {"values": values, "clusters": groups, "mean": float(fit.params[0]),
            "standardError": float(fit.bse[0]), "interval": [float(x) for x in fit_t.conf_int()[0]]}


record("clustered_mean",
       "statsmodels.api.OLS(values, ones).fit(cov_type='cluster', cov_kwds={'groups': clusters}, use_t=True): "
       "params, bse, conf_int()",
       [clusters_case([3, 3, 3, 3]), clusters_case([1, 5, 2, 7, 4, 1]), clusters_case([1] * 10)])


def score_interval(only_a, only_b, n, level):
    """Inverts the score test; the nuisance rate is fitted by numeric maximisation of the likelihood."""
    z = stats.norm.ppf((1 + level) / 2)

    def score(delta):
        # p_b = q + delta, p_a = q
        low, high = max(0.0, -delta), (1 - delta) / 2

        def loss(q):
            terms = [(only_a, q), (only_b, q + delta), (n - only_a - only_b, 1 - 2 * q - delta)]
            return -sum(count * np.log(max(rate, 1e-300)) for count, rate in terms if count > 0)

        q = optimize.minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-13}).x
        return (only_b - only_a - n * delta) / np.sqrt(n * (2 * q + delta - delta ** 2))

    value = (only_b - only_a) / n
    return [float(optimize.brentq(lambda d: score(d) - z, -1 + 1e-9, value, xtol=1e-13)),
            float(optimize.brentq(lambda d: score(d) + z, value, 1 - 1e-9, xtol=1e-13))]


record("rate_difference",
       "scipy.optimize.brentq on the score statistic, whose nuisance rate scipy.optimize.minimize_scalar fits",
       [{"onlyA": a, "onlyB": b, "pairs": n, "level": level, "value": score_interval(a, b, n, level)}
        for a, b, n, level in [(16, 6, 161, 0.95), (1, 7, 21, 0.95), (20, 40, 160, 0.95), (5, 5, 100, 0.9),
                               (3, 12, 15, 0.99), (121, 59, 2000, 0.95)]])


def trinomial_power(p_a, p_b, n, level):
    """Sums over every outcome of all pairs, without conditioning on the discordant ones."""
    total = 0.0
    for a in range(n + 1):
        for b in range(n + 1 - a):
            fewer, m = min(a, b), a + b
            p = 1.0 if a == b else min(1.0, 2 * stats.binom.cdf(fewer, m, 0.5))
            if p <= 1 - level + 1e-12:
                total += stats.multinomial.pmf([a, b, n - m], n, [p_a, p_b, 1 - p_a - p_b])
    return float(total)


record("mcnemar_power",
       "sum of scipy.stats.multinomial.pmf over all tables whose exact p (scipy.stats.binom.cdf) is at most 1 - level",
       [{"onlyA": a, "onlyB": b, "pairs": n, "level": level, "value": trinomial_power(a, b, n, level)}
        for a, b, n, level in [(0.1, 0.3, 20, 0.95), (0.05, 0.2, 50, 0.95), (0.2, 0.2, 30, 0.95),
                               (0.0, 0.25, 30, 0.95), (0.3, 0.1, 40, 0.9)]])

power = TTestPower()
record("paired_mean_power", "statsmodels.stats.power.TTestPower().power(difference / deviation, pairs, 1 - level)",
       [{"difference": d, "deviation": s, "pairs": n, "level": level,
         "value": float(power.power(d / s, n, 1 - level))}
        for d, s, n, level in [(0.5, 1, 20, 0.95), (0.02, 0.4, 1000, 0.95), (0.3, 1, 5, 0.9), (0, 1, 30, 0.95),
                               (-0.5, 1, 20, 0.95), (1, 1, 3, 0.95), (0.01, 0.4, 20_000, 0.99)]])
record("paired_mean_pairs",
       "ceiling of statsmodels.stats.power.TTestPower().solve_power(difference / deviation, None, 1 - level, power)",
       [{"difference": d, "deviation": s, "level": level, "power": wanted,
         "value": int(np.ceil(power.solve_power(d / s, None, 1 - level, wanted)))}
        for d, s, level, wanted in [(0.5, 1, 0.95, 0.8), (0.02, 0.4, 0.95, 0.8), (1, 1, 0.95, 0.9),
                                    (0.03, 0.5, 0.99, 0.8)]])

json.dump({"source": f"SciPy {scipy.__version__}, statsmodels {statsmodels.__version__}, NumPy {np.__version__}",
           "made_by": "record_scipy.py", **cases}, __import__("sys").stdout, indent=1)
print()
