const replies = {
  null: { output: null },
  nothing: {},
  bare: { city: 'Paris' },
  error: { error: 'out of order', output: 'text' },
  text: { output: 'text' },
};

module.exports = class Provider {
  id() {
    return 'no-output';
  }
  async callApi(_, { vars: { kind } }) {
    return replies[kind];
  }
};
