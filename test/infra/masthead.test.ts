/** The construct in a team's app: distinct names, what the team already has, outputs, and refused settings. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { App, type AppProps, Stack, Stage } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import * as v from 'valibot';
import { afterAll, describe, expect, it } from 'vitest';
import { Masthead, type MastheadProps } from '../../infra/cdk/masthead.ts';
import { root } from '../../infra/cdk/root.ts';
import { accountId, region } from './resolved.ts';
import { emptyBundles, everything } from './stages.ts';

const bundles = emptyBundles();
const folders: string[] = [];
afterAll(() => {
  bundles.remove();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const appOf = (props: AppProps = {}): App => {
  const app = new App({ analyticsReporting: false, builtinCloudFormationValidation: false, ...props });
  folders.push(app.outdir);
  return app;
};
const smallest = {
  publication: { name: 'Field Notes', url: 'https://fieldnotes.press' },
  mail: { from: 'desk@fieldnotes.press' },
  bundles,
} satisfies MastheadProps;
const flags: Record<string, unknown> = JSON.parse(
  readFileSync(join(root, 'node_modules/aws-cdk-lib/recommended-feature-flags.json'), 'utf8'),
);
const env = { account: accountId, region };

const resourceSchema = v.object({ Type: v.string(), Properties: v.optional(v.record(v.string(), v.unknown()), {}) });
const templateSchema = v.object({ Resources: v.optional(v.record(v.string(), resourceSchema), {}) });

const keyPolicy = v.object({ Statement: v.array(v.object({ Sid: v.optional(v.string()) })) });

const resourcesIn = (app: App | Stage, prefix = '') =>
  app
    .synth()
    .stacksRecursively.filter(({ stackName }) => stackName.startsWith(prefix))
    .flatMap(({ template }) => Object.values(v.parse(templateSchema, template).Resources));

/** The properties with which resources of an account and region have names that must differ. */
const nameProperties =
  /^(TableName|QueueName|FunctionName|RoleName|AlarmName|TopicName|DashboardName|LogGroupName|AliasName|Name|EventBusName|ConfigurationSetName)$/;
const namesIn = (resources: ReturnType<typeof resourcesIn>): string[] =>
  resources.flatMap(({ Type, Properties }) =>
    Object.entries(Properties).flatMap(([property, value]) =>
      nameProperties.test(property) && typeof value === 'string' && Type !== 'AWS::Lambda::Alias' ? [value] : [],
    ),
  );

describe('a stage in a team’s app', () => {
  it('has the name of its construct’s path, and the account and region of the CDK stage around it', () => {
    const app = appOf();
    new Masthead(new Stage(app, 'Prod', { env }), 'Webhooks', smallest);
    const stacks = app.synth().stacksRecursively;
    expect(stacks.map(({ stackName }) => stackName)).toContain('masthead-prodwebhooks-data');
    expect(new Set(stacks.map(({ environment }) => environment.name))).toEqual(
      new Set([`aws://${accountId}/${region}`]),
    );
  });

  it('shares no name with another of the same account and region', () => {
    const app = appOf();
    const features = { alarms: true, dashboard: true, customerManagedKey: true };
    new Masthead(app, 'Notes', { ...smallest, ...env, features, concurrency: { deliveries: 50 } });
    new Masthead(app, 'Weekly', { ...smallest, ...env, features, concurrency: { deliveries: 50 } });
    const [notes, weekly] = ['masthead-notes-', 'masthead-weekly-'].map((prefix) => namesIn(resourcesIn(app, prefix)));
    expect(notes?.length).toBeGreaterThan(100);
    expect(notes?.filter((name) => weekly?.includes(name))).toEqual([]);
  });

  it('begins all names with the prefix that is given', () => {
    const app = appOf();
    const features = { alarms: true, dashboard: true, customerManagedKey: true };
    new Masthead(app, 'Notes', { ...smallest, namePrefix: 'press', features });
    const names = namesIn(resourcesIn(app));
    expect(names.filter((name) => !/^(alias\/|\/)?press[-/]notes|eventbridge$/.test(name))).toEqual([]);
    expect(JSON.stringify(resourcesIn(app))).not.toContain('masthead-');
  });

  it('has the same resources with the feature flags of an app that `cdk init` makes', () => {
    const typesWith = (context: Record<string, unknown>) => {
      const app = appOf({ context });
      new Masthead(app, 'Notes', { ...everything.input, bundles });
      return resourcesIn(app).map(({ Type }) => Type);
    };
    expect(typesWith(flags).sort()).toEqual(typesWith({}).sort());
  });

  it('has the permissions boundary on every role, and the tags on every stack', () => {
    const app = appOf();
    const permissionsBoundary = `arn:aws:iam::${accountId}:policy/team`;
    new Masthead(app, 'Notes', {
      ...smallest,
      ...env,
      permissionsBoundary,
      tags: { team: 'press' },
      features: { alarms: true },
    });
    const roles = resourcesIn(app).filter(({ Type }) => Type === 'AWS::IAM::Role');
    expect(roles.length).toBeGreaterThan(50);
    expect(roles.filter(({ Properties }) => Properties.PermissionsBoundary !== permissionsBoundary)).toEqual([]);
    for (const { tags } of app.synth().stacks)
      expect(tags).toEqual({ team: 'press', application: 'masthead', stage: 'notes' });
  });

  it('encrypts with a key of the app, whose policy then serves the stage, and creates none', () => {
    const app = appOf();
    const own = new Stack(app, 'Own', { env });
    const encryptionKey = new Key(own, 'Key');
    new Masthead(app, 'Notes', { ...smallest, ...env, encryptionKey });
    const resources = resourcesIn(app);
    const keys = resources.filter(({ Type }) => Type === 'AWS::KMS::Key');
    expect(keys).toHaveLength(1);
    expect(JSON.stringify(keys)).toContain('role/masthead/notes/*');
    const encrypted = resources.filter(({ Type }) => /::(Table|Queue|LogGroup)$/.test(Type));
    expect(encrypted.length).toBeGreaterThan(10);
    expect(encrypted.filter((one) => !/KMSMasterKeyId|KmsMasterKeyId|KmsKeyId/.test(JSON.stringify(one)))).toEqual([]);
  });

  it('shares a key of the app with another stage, and each statement of its policy has a name of its own', () => {
    const app = appOf();
    const encryptionKey = new Key(new Stack(app, 'Own', { env }), 'Key');
    for (const id of ['Notes', 'Weekly'])
      new Masthead(app, id, { ...smallest, ...env, encryptionKey, concurrency: { deliveries: 50 } });
    const [key] = resourcesIn(app, 'Own').filter(({ Type }) => Type === 'AWS::KMS::Key');
    const { Statement } = v.parse(keyPolicy, key?.Properties.KeyPolicy);
    const names = Statement.flatMap(({ Sid }) => Sid ?? []);
    expect(names).toEqual([...new Set(names)]);
    expect(names).toEqual(expect.arrayContaining(['LogsOfmastheadnotes', 'LogsOfmastheadweekly']));
  });

  it('notifies a topic of the app, and gives its URL and its bus to another stack', () => {
    const app = appOf();
    const own = new Stack(app, 'Own', { env });
    const { topicArn } = new Topic(own, 'Pager');
    const alarmTargets = [{ topicArn }];
    const masthead = new Masthead(app, 'Notes', { ...smallest, ...env, alarmTargets, features: { alarms: true } });
    const site = new Stack(app, 'Site', { env });
    new StringParameter(site, 'Url', { stringValue: masthead.url });
    expect(masthead.eventBusName).toBe('masthead-notes');
    expect(masthead.dkimRecords).toHaveLength(3);
    const [parameter] = resourcesIn(app, 'Site');
    expect(JSON.stringify(parameter)).toMatch(/ImportValue.*ghost\/api/);
    const alarms = resourcesIn(app, 'masthead-notes-observability').filter(({ Type }) => Type.endsWith('::Alarm'));
    for (const { Properties } of alarms) expect(JSON.stringify(Properties.AlarmActions)).toContain('Pager');
  });
});

describe('a team’s app is refused', () => {
  it('with wrong settings, each with its construct, field, value and reason', () => {
    const wrong = { ...smallest, logRetentionDays: 2 };
    // @ts-expect-error the compiler finds it too
    expect(() => new Masthead(appOf(), 'Notes', wrong)).toThrow(
      /^The construct Notes: the stage notes is not valid\.\n {2}logRetentionDays is 2\./,
    );
  });

  it('with a path that makes no name, which says what to set', () => {
    const stage = new Stage(appOf(), 'Production');
    expect(() => new Masthead(stage, 'WebhooksOfThePress', smallest)).toThrow(
      /Production\/WebhooksOfThePress.*Set name/,
    );
  });

  it('with two stages of one name', () => {
    const app = appOf();
    new Masthead(app, 'Notes', smallest);
    new Masthead(app, 'Others', { ...smallest, name: 'notes' });
    expect(() => app.synth()).toThrow('notes is the name of 2 stages: set another name');
  });

  it('with two stages that together take all executions of their account', () => {
    const app = appOf();
    for (const id of ['Notes', 'Weekly'])
      new Masthead(app, id, { ...smallest, ...env, concurrency: { deliveries: 480 } });
    expect(() => app.synth()).toThrow(
      /the queues and schedules of notes and weekly can take \d+ of the 1000 executions/,
    );
  });
});
