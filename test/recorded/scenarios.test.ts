import { runScenario, type Scenario } from './scenarios.ts';
import { inFolder, testLines } from './test-lines.ts';

testLines<Scenario>('scenarios.jsonl', (scenario) =>
  inFolder((folder) => runScenario(scenario, folder)),
);
