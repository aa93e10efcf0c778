const outputs = {
  mapping: { city: 'Paris', n: 3, list: [1, 2] },
  list: ['a', 'b'],
  number: 42,
  zero: 0,
  yes: true,
  no: false,
  empty: '',
  text: 'a;b',
  json: '{"city":"Paris"}',
};

module.exports = class Provider {
  id() {
    return 'outputs';
  }
  async callApi(_, { vars: { kind } }) {
    return { output: outputs[kind] };
  }
};
