/** The report of `ops prove`: Markdown for an issue, without keys, addresses and ids of the account. */
import type { StageConfig } from '../../cdk/stage.ts';
import type { Answer } from './question.ts';
import type { Asked } from './run.ts';

/** Replaces what must not stand in an issue: accounts, keys, mail addresses, hosts and paths of ARNs. */
export const withoutSecrets = (text: string): string =>
  text
    .replaceAll(/\b[0-9a-f]{24}:[0-9a-f]{64}\b/g, '<key>')
    .replaceAll(/\b[0-9a-f]{64}\b/g, '<secret>')
    .replaceAll(/\barn:[\w-]+:[^\s"',]+/g, '<arn>')
    .replaceAll(/https?:\/\/[^\s/"']+/g, 'https://<host>')
    .replaceAll(/[^\s@"'<]+@[^\s@"'>]+/g, '<address>')
    .replaceAll(/\b\d{12}\b/g, '<account>');

const textOf = (answer: Answer): string => {
  if (answer.result === 'not run') return answer.reason;
  return answer.seen ?? '';
};

/** One line of the report, also while it runs. */
export const lineOf = ({ question, answer }: Asked): string =>
  `| ${question.name} | ${question.expects} | **${answer.result}** | ` +
  `${withoutSecrets(textOf(answer)).replaceAll('|', '\\|').replaceAll('\n', ' ')} |`;

interface Run {
  readonly config: StageConfig;
  readonly region: string;
  readonly asked: readonly Asked[];
  readonly minutes: number;
  readonly requests: number;
}

/** Dollars for a request: API Gateway, an invocation, and some reads and writes (docs/cost.md). */
const perRequest = 0.00001;

export const reportOf = ({ config, region, asked, minutes, requests }: Run): string => {
  const count = (result: Answer['result']) => asked.filter(({ answer }) => answer.result === result).length;
  const cents = Math.max(1, Math.ceil(requests * perRequest * 100));
  return [
    `### What \`${config.name}\` showed in ${region}`,
    '',
    `${count('as expected')} as expected, ${count('different')} different, ${count('not run')} not run; ` +
      `${minutes.toFixed(1)} minutes, ${requests} requests, at most ${cents} cent${cents === 1 ? '' : 's'}.`,
    '',
    '| question | expected | result | seen |',
    '|---|---|---|---|',
    ...asked.map(lineOf),
  ].join('\n');
};
