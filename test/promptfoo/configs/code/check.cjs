module.exports = (output) => output.length / 100;
