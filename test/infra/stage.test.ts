/** A stage is a few typed lines; a mistake in them fails at synth with a message that tells its author what to do. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { physicalName } from '../../infra/cdk/names.ts';
import { parseStage, StageError } from '../../infra/cdk/parse-stage.ts';
import type { StageInput } from '../../infra/cdk/stage.ts';
import { stages } from '../../infra/cdk/stages.ts';
import { contract } from '../../shared/contract.ts';
import { ofTable } from './stages.ts';

const right: StageInput = {
  region: 'eu-central-1',
  publication: { name: 'Example', url: 'https://example.org' },
  mail: { from: 'desk@example.org' },
};

const refusalOf = (input: unknown, name = 'dev'): string => {
  try {
    parseStage(name, input);
  } catch (error) {
    expect(error).toBeInstanceOf(StageError);
    return error instanceof Error ? error.message : '';
  }
  throw new Error('The stage was accepted.');
};

describe('a stage', () => {
  it('needs a region, a publication and a sender, and has defaults for everything else', () => {
    const stage = parseStage('dev', right);
    expect(stage.settings.stage).toBe('dev');
    expect(stage.settings.deliveries.retryAfterSeconds).toHaveLength(10);
    expect(stage.basePath).toBe('/ghost/api');
    expect(stage.retain).toBe(false);
    expect(Object.values(stage.features)).not.toContain(true);
    // Another application's API may write its logs with the account's role: nothing is decided silently.
    expect(stage.apiLogsRole).toBeUndefined();
  });

  it('is in the SES sandbox by default in dev, because its account is new', () => {
    expect(ofTable.filter(({ settings }) => settings.mail.sandbox).map(({ name }) => name)).toEqual(['dev']);
  });

  it('links its mails and pages to a public site, not to one on this machine', () => {
    expect(ofTable.map(({ settings }) => new URL(settings.publication.url).hostname)).not.toContain('localhost');
  });

  it('is defined for dev, prod and local', () => {
    expect(Object.keys(stages)).toEqual(['dev', 'prod', 'local']);
  });

  it.each([
    ['a region', { region: 'mars' }, 'region is "mars". It must be a region such as eu-central-1.'],
    [
      'a time zone',
      { publication: { ...right.publication, timezone: 'Europe/Atlantis' } },
      'publication.timezone is "Europe/Atlantis". It must be a time zone of the IANA database such as Europe/Berlin.',
    ],
    [
      'a sender',
      { mail: { from: 'desk' } },
      'mail.from is "desk". It must be an email address, such as ada@example.com.',
    ],
    [
      'an address for alarms',
      { alarmTargets: [{ email: 'on..call@example.org' }] },
      'alarmTargets.0.email is "on..call@example.org". It must not start or end with a dot',
    ],
    [
      'an accept URL',
      { invites: { acceptUrl: 'https://x.org/' } },
      'invites.acceptUrl is "https://x.org/". It must be a URL that contains {token}.',
    ],
    ['an origin', { allowedOrigins: ['https://x.org/'] }, 'allowedOrigins.0 is "https://x.org/". It must be an origin'],
    ['an address range', { targets: { allowRanges: ['moon'] } }, 'targets.allowRanges.0 is "moon".'],
    ['a retention', { logRetentionDays: 13 }, 'logRetentionDays is 13.'],
    [
      'a target of alarms',
      { alarmTargets: [{ topicArn: 'arn:aws:sqs:eu-central-1:111111111111:x' }] },
      'alarmTargets.0',
    ],
    [
      'a certificate of another region',
      { domain: { name: 'hooks.example.org', certificateArn: 'arn:aws:acm:us-east-1:111111111111:certificate/1' } },
      'domain.certificateArn is in us-east-1, the stage is in eu-central-1: ' +
        'API Gateway accepts only certificates of its own region.',
    ],
    [
      'a topic of another region',
      { alarmTargets: [{ topicArn: 'arn:aws:sns:eu-west-1:111111111111:pager' }] },
      'alarmTargets.0.topicArn is in eu-west-1, the stage is in eu-central-1: ' +
        'CloudWatch notifies only topics of its own region.',
    ],
    ['a qualifier', { bootstrapQualifier: 'Press_1' }, 'bootstrapQualifier is "Press_1".'],
    [
      'a pipeline without a key of its own',
      { pipeline: { repository: 'press/masthead' } },
      'pipeline is set, but features.customerManagedKey is not true',
    ],
    [
      'reservations in a new account, which can have none',
      {
        reservedConcurrency: { publishing: 1 },
        accountConcurrency: 10,
        concurrency: { events: 2, deliveries: 2, 'slow-deliveries': 2, replays: null, deletions: null },
      },
      'reservedConcurrency reserves 2 executions for 2 functions, but accountConcurrency is 10, and Lambda keeps ' +
        '100 unreserved: an account with so few can reserve none.',
    ],
    [
      'reservations beyond what the account has',
      { reservedConcurrency: { publishing: 451 } },
      'reservedConcurrency reserves 902 executions for 2 functions, but accountConcurrency is 1000, and Lambda ' +
        'keeps 100 unreserved.',
    ],
    [
      'a reservation below what a queue may take',
      { reservedConcurrency: { mailing: 2 }, concurrency: { mail: 5 } },
      'reservedConcurrency.mailing is 2, but the queues of mail/send may take 5',
    ],
    ['a concurrency', { concurrency: { mail: 1 } }, 'concurrency.mail is 1.'],
    ['a queue', { concurrency: { post: 5 } }, 'concurrency.post is "post".'],
    [
      'an endpoint',
      { throttleOf: { 'a/b': { ratePerSecond: 1, burst: 1 } } },
      'throttleOf.a/b is "a/b". It must be one of webhooks/create',
    ],
    [
      'a scheduled function',
      { everyMinutes: { 'webhooks/create': 1 } },
      'everyMinutes.webhooks/create is "webhooks/create". It must be one of due/sweep',
    ],
    [
      'an interval beyond the periods of the alarms',
      { everyMinutes: { 'due/sweep': 6 } },
      'everyMinutes.due/sweep is 6.',
    ],
    [
      'a time for an answer that its function does not have',
      { deliveries: { timeoutMs: 20_000 } },
      'an attempt can take 43000 ms (twice timeoutMs, for a free connection and for the answer, and ' +
        'connectTimeoutMs), but 25000 fit into the 30 s',
    ],
    [
      'a time for an answer that is a little too long',
      { deliveries: { timeoutMs: 11_001 } },
      'deliveries.timeoutMs is 11001',
    ],
    [
      'a retry schedule beyond seven days',
      { deliveries: { retryAfterSeconds: [0, 504_001] } },
      'deliveries.retryAfterSeconds is [0,504001].',
    ],
    [
      'a wait before the first attempt',
      { deliveries: { retryAfterSeconds: [901, 5] } },
      'deliveries.retryAfterSeconds is [901,5]. It must begin with at most 900 s, the longest delay of SQS',
    ],
    ['a retry schedule', { deliveries: { retryAfterSeconds: [-1] } }, 'deliveries.retryAfterSeconds.0 is -1.'],
    ['a base path', { basePath: 'ghost' }, 'basePath is "ghost". It must be a path such as /ghost/api.'],
    ['a setting', { colour: 'red' }, 'colour: unknown setting.'],
    ['a feature', { features: { canari: true } }, 'features.canari: unknown setting.'],
  ])('with an invalid %s is refused with the field, its value and the reason', (_what, wrong, expected) => {
    const refusal = refusalOf({ ...right, ...wrong });
    expect(refusal).toContain('the stage dev is not valid');
    expect(refusal).toContain(expected);
  });

  it('that takes its region from the AWS profile may have ARNs of any region', () => {
    const domain = { name: 'hooks.example.org', certificateArn: 'arn:aws:acm:us-east-1:111111111111:certificate/1' };
    expect(parseStage('dev', { ...right, region: null, domain }).domain).toMatchObject(domain);
  });

  it('reports all of its errors in one message', () => {
    expect(refusalOf({ region: 'mars', publication: right.publication }).split('\n')).toHaveLength(3);
    expect(refusalOf({ region: 'mars', publication: right.publication })).toContain('mail is missing.');
  });

  it('cannot have canary deployments without alarms', () => {
    expect(refusalOf({ ...right, features: { canary: true } })).toContain('features.alarms is not');
  });

  it('cannot send faster than SES allows if it is in the sandbox', () => {
    const mail = { ...right.mail, sandbox: true };
    expect(parseStage('dev', { ...right, mail }).settings.mail).toMatchObject({ perSecond: 1, perDay: 200 });
    expect(refusalOf({ ...right, mail: { ...mail, perSecond: 14 } })).toContain('mail.sandbox is true');
    expect(refusalOf({ ...right, mail: { ...mail, perDay: null } })).toContain('mail.sandbox is true');
  });

  it('accepts only the hosted zone of its sender’s own domain', () => {
    const senderHostedZone = { id: 'Z0123456789ABC', name: 'example.com' };
    expect(refusalOf({ ...right, senderHostedZone })).toContain('must be the domain of mail.from, example.org');
  });

  it.each([
    ['Masthead publishes', 'webhook.disabled'],
    ['Ghost has', 'post.published'],
  ])('cannot define an event with a name that %s', (_whose, name) => {
    expect(refusalOf({ ...right, ownEvents: ['shop.order.paid', name] })).toContain(
      `ownEvents has "${name}", which every stage has.`,
    );
  });

  it('cannot define the same event twice', () => {
    expect(refusalOf({ ...right, ownEvents: ['shop.paid', 'shop.paid'] })).toContain(
      'ownEvents has "shop.paid" more than once.',
    );
  });

  it('cannot have more settings than the environment of a function can hold', () => {
    const ownEvents = Array.from({ length: 100 }, (_, index) => `shop.order.some-rather-long-name.${index}`);
    expect(refusalOf({ ...right, ownEvents })).toContain('AWS: 4 KiB in all');
  });

  it('needs a name that can be part of other names', () => {
    expect(refusalOf(right, 'My Stage')).toContain('the name "My Stage"');
  });

  it('has a name that is short enough to be part of the name of every function', () => {
    const longest = parseStage('a'.repeat(19), right);
    // https://docs.aws.amazon.com/lambda/latest/api/API_CreateFunction.html
    for (const line of contract) expect(physicalName(longest, line.function).length).toBeLessThanOrEqual(64);
    expect(refusalOf(right, 'a'.repeat(20))).toContain('must have 1 to 19 lower-case letters and digits');
  });

  it('cannot have a name that gives one of its queues the name of a queue of another stage', () => {
    expect(physicalName(parseStage('dev', right), 'slow-deliveries')).toBe('masthead-dev-slow-deliveries');
    expect(refusalOf(right, 'dev-slow')).toContain('must have 1 to 19 lower-case letters and digits');
  });
});

describe('infra/cdk/app.ts', () => {
  it('reports an unknown stage in one message without a stack trace', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, '../../infra/cdk/app.ts')], {
      env: { ...process.env, STAGE: 'moon' },
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toBe('STAGE is "moon"; it must be one of: dev, prod, local.\n');
  });
});
