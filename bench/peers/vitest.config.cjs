module.exports = { test: { sequence: { concurrent: true } } };
