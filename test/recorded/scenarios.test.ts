import { inFolder } from './lines.ts';
import { runScenario, type Scenario } from './scenarios.ts';
import { testLines } from './test-lines.ts';

testLines<Scenario>('scenarios.jsonl', (scenario) =>
  inFolder((folder) => runScenario(scenario, folder)),
);
