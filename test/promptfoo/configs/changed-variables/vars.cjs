exports.upper = (vars) => ({ answer: vars.answer.toUpperCase(), parts: ['x', 'y'] });
