# Records values of R: Rscript record_r.R > r.json
suppressMessages({ library(lme4); library(boot); library(sandwich) })
options(digits = 17)
set.seed(20240611)

num <- function(x) format(x, digits = 15, trim = TRUE, drop0trailing = TRUE)
list_of <- function(x) paste0("[", paste(vapply(x, num, ""), collapse = ", "), "]")
cases <- c()
record <- function(name, call, rows) {
  cases <<- c(cases, sprintf(' "%s": {\n  "call": "%s",\n  "cases": [\n   %s\n  ]\n }', name, call, paste(rows, collapse = ",\n   ")))
}

record("mcnemar", "mcnemar.test(matrix(c(0, onlyA, onlyB, 0), 2))$p.value",
  apply(rbind(c(1, 7), c(16, 6), c(5, 5), c(40, 40), c(20, 21), c(1000, 1100)), 1, function(x) {
    p <- mcnemar.test(matrix(c(0, x[1], x[2], 0), 2))$p.value
    sprintf('{ "onlyA": %d, "onlyB": %d, "value": %s }', x[1], x[2], num(p))
  }))

record("student_quantile", "qt(share, degrees)",
  apply(expand.grid(share = c(0.005, 0.025, 0.5, 0.8, 0.975, 0.9995), degrees = c(1, 2, 5, 30, 1000)), 1, function(x) {
    sprintf('{ "share": %s, "degrees": %d, "value": %s }', num(x[1]), x[2], num(qt(x[1], x[2])))
  }))

record("paired_mean_power", "power.t.test(n = pairs, delta = difference, sd = deviation, sig.level = 1 - level, type = 'paired', strict = TRUE)$power",
  apply(rbind(c(20, 0.5, 1, 0.95), c(8, 0.4, 1, 0.95), c(500, 0.05, 0.4, 0.99)), 1, function(x) {
    p <- power.t.test(n = x[1], delta = x[2], sd = x[3], sig.level = 1 - x[4], type = "paired", strict = TRUE)$power
    sprintf('{ "pairs": %d, "difference": %s, "deviation": %s, "level": %s, "value": %s }', x[1], num(x[2]), num(x[3]), num(x[4]), num(p))
  }))

values <- round(rexp(30), 3)
result <- boot(values, function(x, i) mean(x[i]), R = 200000)
interval <- boot.ci(result, type = "bca")$bca[4:5]
record("bootstrap_bca", "boot::boot.ci(boot::boot(values, mean of values[i], R = 200000), type = 'bca')$bca[4:5]",
  sprintf('{ "values": %s, "value": %s }', list_of(values), list_of(interval)))

values <- round(rnorm(40), 3)
groups <- rep(1:8, each = 5)
values <- values + rep(round(rnorm(8), 3), each = 5)
error <- sqrt(vcovCL(lm(values ~ 1), cluster = groups)[1, 1])
record("clustered_mean", "sqrt(sandwich::vcovCL(lm(values ~ 1), cluster = clusters)[1, 1])",
  sprintf('{ "values": %s, "clusters": %s, "standardError": %s }', list_of(values), list_of(groups), num(error)))

# For a balanced design without negative estimates REML and the method of moments agree.
control <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-11, maxfun = 100000))
split_variance <- function(design, parts) {
  formula <- as.formula(paste("value ~ 1 +", paste0("(1 | ", parts, ")", collapse = " + ")))
  found <- as.data.frame(VarCorr(lmer(formula, design, REML = TRUE, control = control)))
  variances <- found$vcov[match(c(parts, "Residual"), found$grp)]
  sprintf('{ "formula": "%s", "parts": ["%s"], "values": %s, "variances": %s }',
    deparse1(formula), paste(c(parts, "residual"), collapse = '", "'), list_of(design$value), list_of(variances))
}
effect <- function(levels, deviation) rnorm(max(levels), 0, deviation)[levels]

main <- expand.grid(row = 1:25, seed = 1:3, shots = 1:4, template = 1:5)
main$value <- round(0.6 + effect(main$template, 0.3) + effect(main$shots, 0.25) + effect(main$seed, 0.2) +
  effect(main$row, 0.4) + rnorm(nrow(main), 0, 0.2), 3)
crossed <- expand.grid(seed = 1:3, row = 1:20, template = 1:6)
cells <- (crossed$template - 1) * 20 + crossed$row
crossed$value <- round(effect(crossed$template, 0.4) + effect(crossed$seed, 0.5) + effect(crossed$row, 0.5) +
  effect(cells, 0.45) + rnorm(nrow(crossed), 0, 0.2), 3)
record("variance_components", "lme4::lmer(formula, design, REML = TRUE); the first factor named in parts runs slowest",
  c(split_variance(main, c("template", "shots", "seed", "row")),
    split_variance(crossed, c("template", "row", "seed", "template:row"))))

versions <- sprintf("R %s.%s, lme4 %s, boot %s, sandwich %s", R.version$major, R.version$minor,
  packageVersion("lme4"), packageVersion("boot"), packageVersion("sandwich"))
cat(sprintf('{\n "source": "%s",\n "made_by": "record_r.R",\n%s\n}\n', versions, paste(cases, collapse = ",\n")))
