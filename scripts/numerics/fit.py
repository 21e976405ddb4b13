# SPDX-License-Identifier: MIT
"""Minimax polynomials for kernels/lib, coefficients rounded to float or double one after the other.

fit(f, a, b, powers, kind) finds p(x) = sum c_i x^powers[i] that minimizes the largest error of p/f (weight='relative')
or of p - f, prints the coefficients as C literals and the error as a power of two.
"""
import struct
from mpmath import mp, mpf, matrix, lu_solve, cos, pi, log, fabs

mp.dps = 60


def rounded(value, kind):
    if kind == 'f32':
        # The conversion from mpf to float need not be exact: one ulp does not matter, because the other coefficients
        # are fitted again.
        return mpf(struct.unpack('f', struct.pack('f', float(value)))[0])
    return mpf(float(value))


def remez(f, w, a, b, powers, rounds=12, grid=400):
    n = len(powers)
    nodes = [(a + b) / 2 + (a - b) / 2 * cos(pi * k / n) for k in range(n + 1)]
    xs = [(a + b) / 2 + (a - b) / 2 * cos(pi * k / grid) for k in range(grid + 1)]
    fx = [f(x) for x in xs]
    wx = [w(x) for x in xs]
    px = [[x ** p for p in powers] for x in xs]
    best = None
    for _ in range(rounds):
        m = matrix(n + 1, n + 1)
        r = matrix(n + 1, 1)
        for i, x in enumerate(nodes):
            for j, p in enumerate(powers):
                m[i, j] = x ** p
            m[i, n] = (-1) ** i / w(x)
            r[i] = f(x)
        try:
            s = lu_solve(m, r)
        except ZeroDivisionError:
            break
        c = [s[j] for j in range(n)]
        e = [(sum(cj * pj for cj, pj in zip(c, row)) - fv) * wv for row, fv, wv in zip(px, fx, wx)]
        worst = max(fabs(v) for v in e)
        if best is None or worst < best[0]:
            best = (worst, c)
        if worst < fabs(s[n]) * mpf('1.001'):
            break
        # the extremum of each run of one sign
        extrema = []
        for i, v in enumerate(e):
            if extrema and (v > 0) == (e[extrema[-1]] > 0):
                if fabs(v) > fabs(e[extrema[-1]]):
                    extrema[-1] = i
            else:
                extrema.append(i)
        while len(extrema) > n + 1:
            if fabs(e[extrema[0]]) < fabs(e[extrema[-1]]):
                extrema.pop(0)
            else:
                extrema.pop()
        if len(extrema) < n + 1:
            break
        nodes = [xs[i] for i in extrema]
    return best


def least_squares(f, w, a, b, powers, points=120):
    """Weighted least squares on Chebyshev nodes: within a factor of two of the best, and it never fails."""
    n = len(powers)
    xs = [(a + b) / 2 + (a - b) / 2 * cos(pi * (2 * k + 1) / (2 * points)) for k in range(points)]
    m, r = matrix(n, n), matrix(n, 1)
    for x in xs:
        row = [x ** p * w(x) for p in powers]
        v = f(x) * w(x)
        for i in range(n):
            r[i] += row[i] * v
            for j in range(n):
                m[i, j] += row[i] * row[j]
    c = list(lu_solve(m, r))
    return max(fabs((sum(cj * x ** p for cj, p in zip(c, powers)) - f(x)) * w(x)) for x in xs), c


def best_fit(f, w, a, b, powers):
    candidates = [least_squares(f, w, a, b, powers)]
    try:
        found = remez(f, w, a, b, powers)
        if found:
            candidates.append(found)
    except ZeroDivisionError:
        pass
    return min(candidates, key=lambda c: c[0])


def fit(name, f, a, b, powers, kind='f32', weight='relative', fixed=None, quiet=False):
    a, b = mpf(a), mpf(b)
    w = weight if callable(weight) else (lambda x: 1 / fabs(f(x))) if weight == 'relative' else (lambda x: mpf(1))
    known = dict(fixed or {})
    left = [p for p in powers if p not in known]
    ideal = None
    while left:
        g = lambda x: f(x) - sum(c * x ** p for p, c in known.items())
        err, c = best_fit(g, w, a, b, left)
        if ideal is None:
            ideal = err
        known[left[0]] = rounded(c[0], kind)
        left = left[1:]
    xs = [a + (b - a) * k / 1000 for k in range(1, 1000)]
    err = max(fabs((sum(c * x ** p for p, c in known.items()) - f(x)) * w(x)) for x in xs)
    if not quiet:
        print(f'// {name}: [{mp.nstr(a, 5)}, {mp.nstr(b, 5)}] ideal 2^{float(log(ideal, 2)):.2f}, rounded 2^{float(log(err, 2)):.2f}')
        for p in powers:
            v = float(known[p])
            print(f'//   x^{p}: {v.hex()}{"f" if kind == "f32" else ""}  ({v:.9g})')
    return [known[p] for p in powers]
