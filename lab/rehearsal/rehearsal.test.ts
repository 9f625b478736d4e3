/** The resources that a rehearsal skips, and the others, which must not refer to them. */
import { describe, expect, it } from 'vitest';
import { type Template, withoutUnsupported } from './leave-out.ts';

const template: Template = {
  Resources: {
    Queue: { Type: 'AWS::SQS::Queue', Properties: {} },
    Policy: { Type: 'AWS::SQS::QueuePolicy', Properties: { Queues: [{ Ref: 'Queue' }] } },
    Identity: { Type: 'AWS::SES::EmailIdentity', Properties: {} },
    Bus: { Type: 'AWS::Events::EventBus', Properties: {} },
    Rule: { Type: 'AWS::Events::Rule', Properties: { EventBusName: { Ref: 'Bus' } } },
    Schedule: { Type: 'AWS::Events::Rule', Properties: {} },
    Table: {
      Type: 'AWS::DynamoDB::Table',
      Properties: { Name: { 'Fn::Join': ['', [{ 'Fn::GetAtt': ['Identity', 'Arn'] }]] } },
    },
    Function: { Type: 'AWS::Lambda::Function', Properties: {}, DependsOn: ['Policy', 'Queue'] },
  },
  Outputs: { Dkim: { Value: { 'Fn::GetAtt': ['Table', 'Arn'] } }, Url: { Value: { Ref: 'Queue' } } },
};
const types = new Set(
  ['SQS::Queue', 'Events::EventBus', 'Events::Rule', 'DynamoDB::Table', 'Lambda::Function'].map(
    (type) => `AWS::${type}`,
  ),
);

describe('the templates of a rehearsal', () => {
  const { template: kept, skipped } = withoutUnsupported('data', template, types);

  it('contain no resource that moto cannot create, and none that refers to such a resource', () => {
    expect(Object.keys(kept.Resources)).toEqual(['Queue', 'Bus', 'Schedule', 'Function']);
    expect(Object.keys(kept.Outputs)).toEqual(['Url']);
    expect(kept.Resources.Function?.DependsOn).toEqual(['Queue']);
  });

  it('list every skipped resource with the reason', () => {
    expect(skipped.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([
      'Policy: No Moto CloudFormation support for AWS::SQS::QueuePolicy',
      'Identity: No Moto CloudFormation support for AWS::SES::EmailIdentity',
      expect.stringContaining('Rule: moto fails at a Ref of an event bus'),
      'Table: refers to Identity',
      'Dkim: refers to Table',
    ]);
  });

  it('are unchanged if moto supports every type', () => {
    const all = new Set(Object.values(template.Resources).map(({ Type }) => Type));
    const { Rule: _, ...others } = template.Resources;
    const result = withoutUnsupported('data', { ...template, Resources: others }, all);
    expect(result).toEqual({ template: { ...template, Resources: others }, skipped: [] });
  });
});
