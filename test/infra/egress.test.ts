/** Fixed addresses: only the function that posts to receivers is in a VPC, and only its posts take the NAT gateways. */
import { App, Stack } from 'aws-cdk-lib';
import { CfnEIP, SecurityGroup, Vpc } from 'aws-cdk-lib/aws-ec2';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Masthead } from '../../infra/cdk/masthead.ts';
import { parseStage } from '../../infra/cdk/parse-stage.ts';
import { accountId, readTemplates, region } from './resolved.ts';
import { emptyBundles, everything, existing, ofTable } from './stages.ts';
import { functionName, lines, synthesized } from './synthesized.ts';

const templates = synthesized();
const network = v.looseObject({ SubnetIds: v.unknown(), SecurityGroupIds: v.unknown() });
const inVpc = v.looseObject({ FunctionName: v.string(), VpcConfig: v.optional(network) });
const environment = v.looseObject({
  FunctionName: v.string(),
  // The functions of the CDK itself may have none.
  Environment: v.optional(v.looseObject({ Variables: v.record(v.string(), v.string()) }), { Variables: {} }),
});
const functionsInVpc = (stage: string) =>
  templates.of(stage, 'Lambda::Function', inVpc).filter(({ properties }) => properties.VpcConfig !== undefined);
const typesIn = (stage: string) => templates.all(stage).map(({ type }) => type);
const deliver = lines.find((line) => line.function === 'deliveries/deliver') ?? expect.fail();

describe('a stage without fixed addresses', () => {
  it.each(ofTable)('has no VPC and no NAT gateway, which cost while idle: $name', ({ name }) => {
    expect(functionsInVpc(name)).toEqual([]);
    expect(typesIn(name).filter((type) => type.startsWith('EC2::'))).toEqual([]);
  });
});

describe('a stage with NAT gateways of its own', () => {
  const { name } = everything;

  it('puts only the function that posts to receivers behind them', () => {
    expect(functionsInVpc(name).map(({ properties }) => properties.FunctionName)).toEqual([
      functionName(name, deliver),
    ]);
  });

  it('has one address in each zone, which survives its stack, and says which', () => {
    const count = (type: string) => typesIn(name).filter((one) => one === type).length;
    expect([count('EC2::EIP'), count('EC2::NatGateway')]).toEqual([2, 2]);
    expect(templates.outputs(name)).toContain('EgressAddresses');
    const told = templates
      .of(name, 'Lambda::Function', environment)
      .filter(({ properties }) => properties.Environment.Variables.EGRESS_ADDRESSES !== undefined);
    expect(told).toHaveLength(lines.length);
  });

  it('reaches the table and the queues without them', () => {
    const endpoint = v.looseObject({ ServiceName: v.unknown(), VpcEndpointType: v.string() });
    const endpoints = templates.of(name, 'EC2::VPCEndpoint', endpoint);
    expect(endpoints.map(({ properties }) => properties.VpcEndpointType).sort()).toEqual(['Gateway', 'Interface']);
    const services = JSON.stringify(endpoints.map(({ properties }) => properties.ServiceName));
    for (const service of ['dynamodb', 'sqs']) expect(services).toContain(service);
  });

  it('lets nobody in: the function has no way in, and its endpoint serves the function alone', () => {
    const group = v.looseObject({ SecurityGroupIngress: v.optional(v.unknown()) });
    for (const { properties } of templates.of(name, 'EC2::SecurityGroup', group))
      expect(properties.SecurityGroupIngress).toBeUndefined();
    const ingress = templates.of(name, 'EC2::SecurityGroupIngress', v.looseObject({ CidrIp: v.optional(v.string()) }));
    expect(ingress.map(({ properties }) => properties.CidrIp)).toEqual([undefined]);
  });

  it('lets Lambda make network interfaces, but not the code of the function', () => {
    const role = v.looseObject({
      Policies: v.array(v.looseObject({ PolicyName: v.string(), PolicyDocument: v.unknown() })),
    });
    const policies = templates
      .of(name, 'IAM::Role', v.unknown())
      .flatMap(({ properties }) => {
        const parsed = v.safeParse(role, properties);
        return parsed.success ? parsed.output.Policies : [];
      })
      .filter(({ PolicyName }) => PolicyName === 'network');
    expect(policies).toHaveLength(1);
    expect(JSON.stringify(policies)).toMatch(/"Effect":"Deny".*SourceFunctionArn|SourceFunctionArn.*"Effect":"Deny"/);
  });
});

describe('a stage with subnets of a team', () => {
  it('uses these, and tells the addresses that the team has given', () => {
    const egress = {
      subnetIds: ['subnet-0a1b2c3d', 'subnet-0a1b2c3e'],
      securityGroupIds: ['sg-0a1b2c3d'],
      addresses: ['203.0.113.7'],
    };
    const bundles = emptyBundles();
    const app = new App({ analyticsReporting: false, builtinCloudFormationValidation: false });
    new Masthead(app, 'theirs', { ...existing.input, egress, bundles });
    const resources = readTemplates(app.synth({ skipValidation: true }).directory, 'theirs');
    bundles.remove();
    const functions = resources.filter(({ type }) => type === 'Lambda::Function');
    const { subnetIds: SubnetIds, securityGroupIds: SecurityGroupIds } = egress;
    expect(functions.flatMap(({ properties }) => properties.VpcConfig ?? [])).toEqual([
      { SubnetIds, SecurityGroupIds },
    ]);
    expect(resources.filter(({ type }) => type.startsWith('EC2::'))).toEqual([]);
    const told = functions.filter(({ properties }) => {
      const parsed = v.safeParse(environment, properties);
      return parsed.success && parsed.output.Environment.Variables.EGRESS_ADDRESSES === '203.0.113.7';
    });
    expect(told).toHaveLength(lines.length);
  });

  it('takes them from a VPC that the CDK looks up, and from resources of the same app', () => {
    const bundles = emptyBundles();
    const app = new App({ analyticsReporting: false, builtinCloudFormationValidation: false });
    const env = { account: accountId, region };
    const base = new Stack(app, 'Base', { env });
    const vpc = Vpc.fromLookup(base, 'Vpc', { vpcName: 'team' });
    const egress = {
      // Until it has asked AWS, the CDK gives ids of another form.
      subnetIds: vpc.privateSubnets.map(({ subnetId }) => subnetId),
      securityGroupIds: [new SecurityGroup(base, 'Deliveries', { vpc }).securityGroupId],
      addresses: [new CfnEIP(base, 'Address').attrPublicIp],
    };
    new Masthead(app, 'theirs', { ...existing.input, ...env, egress, bundles });
    const resources = readTemplates(app.synth({ skipValidation: true }).directory, 'theirs');
    bundles.remove();
    expect(resources.flatMap(({ properties }) => properties.VpcConfig ?? [])).toEqual([
      { SubnetIds: ['p-12345', 'p-67890'], SecurityGroupIds: [expect.stringMatching(/^Deliveries.*GroupId$/)] },
    ]);
  });

  it.each([
    ['of its own gateways', { natGateways: 2 }, 2],
    [
      'that the team has given',
      { subnetIds: ['subnet-0a1b2c3d'], securityGroupIds: ['sg-0a1b2c3d'], addresses: ['203.0.113.7'] },
      1,
    ],
    ['that nobody has fixed', undefined, 0],
  ])('has the addresses %s as a property', (_, egress, count) => {
    const bundles = emptyBundles();
    const { egressAddresses } = new Masthead(new App(), 'any', {
      ...existing.input,
      ...(egress && { egress }),
      bundles,
    });
    bundles.remove();
    expect(egressAddresses).toHaveLength(count);
  });

  it('must give ids and addresses', () => {
    const { publication, mail } = everything.input;
    const egress = { subnetIds: ['subnet'], securityGroupIds: ['sg-0a1b2c3d'], addresses: ['nat.example.org'] };
    expect(() => parseStage('wrong', { region, publication, mail, egress })).toThrow('egress');
  });

  it('must name its account for a third gateway, because the CDK knows two zones otherwise', () => {
    const { publication, mail } = everything.input;
    const settings = { region, publication, mail, egress: { natGateways: 3 } };
    expect(() => parseStage('wrong', settings)).toThrow(/egress\.natGateways is 3, but account or region is missing/);
    expect(parseStage('right', { ...settings, account: accountId }).egress).toEqual({ natGateways: 3 });
  });
});
