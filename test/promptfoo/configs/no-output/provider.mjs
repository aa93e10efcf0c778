const replies = {
  null: { output: null },
  nothing: {},
  bare: { city: 'Paris' },
  error: { error: 'out of order', output: 'text' },
  text: { output: 'text' },
};

export default class Provider {
  id() {
    return 'no-output';
  }
  async callApi(_, { vars: { kind } }) {
    return replies[kind];
  }
}
