import { dirname, join } from 'node:path';
import type { CallCommand } from './call-command.ts';
import { checkPlans } from './check-plans.ts';
import { checkRecorded } from './check-recorded.ts';
import { checkRun } from './check-run.ts';
import { checkViews } from './check-views.ts';
import { type SampleConfig, writeConfig } from './config-space.ts';
import type { PlanDocument, RunDocument, ViewDocument } from './documents.ts';
import type { RecordedRequest, RecordingServer } from './recording-server.ts';

export interface JointTools {
  readonly server: RecordingServer;
  readonly call: CallCommand;
}

/** What the commands said of a config, as far as they did, and what the server got. */
export interface Joint {
  readonly url: string;
  /** What the run sent: to the models that were asked, and to the judge. */
  readonly sent: readonly RecordedRequest[];
  readonly judged: readonly RecordedRequest[];
  readonly run: RunDocument | undefined;
  /** Before any answer, and after the run. */
  readonly view: ViewDocument | undefined;
  readonly viewOfRun: ViewDocument | undefined;
  readonly plan: PlanDocument | undefined;
  readonly planAfter: PlanDocument | undefined;
  /** Commands that failed, and those that sent what they should not. */
  readonly failures: readonly string[];
}

/** Runs a config in an empty folder, views it and plans it, and says where these differ. */
export async function findProblems(
  sample: SampleConfig,
  folder: string,
  { isRecorded, ...tools }: JointTools & { readonly isRecorded?: boolean | undefined },
): Promise<string[]> {
  const joint = await callAll(await writeConfig(sample, folder), tools);
  const { levels } = sample;
  return [
    ...(isRecorded ? checkRecorded(joint, levels, folder) : []),
    ...joint.failures,
    ...checkRun(joint),
    ...checkViews(joint, levels),
    ...checkPlans(joint, levels),
  ];
}

/** A run whose labels have no token to measure ends with 3, whatever it sends. */
export function endsWell(code: number | null, stderr: string): boolean {
  return code === 0 || (code === 3 && /no row has a score: the label .* has no token/.test(stderr));
}

/** Calls the commands for a config that stands in a folder of its own. */
export async function callAll(file: string, { server, call }: JointTools): Promise<Joint> {
  const folder = dirname(file);
  const out = join(folder, 'out');
  const failures: string[] = [];
  const read = async <Document>(
    name: string,
    ...options: string[]
  ): Promise<Document | undefined> => {
    const { code, stdout, stderr } = await call([name, file, ...options, '--json']);
    if (!endsWell(code, stderr))
      failures.push(`${name} ${options.join(' ')} ended with ${code}: ${stderr}`);
    return stdout === '' ? undefined : JSON.parse(stdout);
  };
  server.clear();
  const run = await read<RunDocument>('run', '--out', out);
  const { sent, judged } = receivedBy(server);
  server.clear();
  const all = ['-a', '--rows', ':'];
  const view = await read<ViewDocument>('view', ...all);
  const viewOfRun = await read<ViewDocument>('view', '--run', out, ...all);
  const plan = await read<PlanDocument>('plan', '--out', join(folder, 'fresh'));
  const planAfter = await read<PlanDocument>('plan', '--out', out);
  const [unwanted] = server.requests;
  if (unwanted) failures.push(`view or plan sent ${unwanted.body}`);
  return {
    url: server.url,
    ...{ sent, judged, run, view, viewOfRun, plan, planAfter, failures },
  };
}

/** What a server got of a run: as a model, and as a judge. */
export function receivedBy({ requests }: RecordingServer): Pick<Joint, 'sent' | 'judged'> {
  const all = requests.filter((request) => !isProbe(request));
  return { sent: all.filter((request) => !isJudged(request)), judged: all.filter(isJudged) };
}

/** The request by which a run finds out how a server tells likelihoods. */
function isProbe({ body }: RecordedRequest): boolean {
  return body.includes('"prompt":["One two three.","One two four."]');
}

function isJudged({ body }: RecordedRequest): boolean {
  return body.startsWith('{"model":"judge-model"');
}
