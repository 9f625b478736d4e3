/**
 * Checks the packages of the lockfile: their licences, and known vulnerabilities by `npm audit`; and writes a software bill of materials
 * (CycloneDX, by `npm sbom`) to sbom.cdx.json. Without network it reports that vulnerabilities were not checked, and does not fail for it.
 *
 *   npm run supply-chain
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { isAccepted, lockedPackages } from './packages.ts';

const root = join(import.meta.dirname, '../..');
const npm = (...args: string[]) => {
  const { stdout, stderr } = spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return { stdout, stderr };
};

const packages = lockedPackages();
const byLicence = Map.groupBy(packages, ({ licence }) => licence);
console.table(
  [...byLicence].map(([licence, of]) => ({
    licence,
    packages: of.length,
    deployed: of.filter(({ isDeployed }) => isDeployed).length,
    names: of.length > 4 ? '' : of.map(({ name }) => name).join(', '),
  })),
);
const refused = packages.filter((one) => !isAccepted(one));
for (const { name, version, licence } of refused)
  console.error(`${name}@${version}: the licence ${licence} is not accepted.`);

const bomSchema = v.looseObject({
  bomFormat: v.literal('CycloneDX'),
  specVersion: v.string(),
  components: v.array(v.unknown()),
});
const sbom = npm('sbom', '--sbom-format', 'cyclonedx', '--package-lock-only').stdout;
const bom = v.parse(bomSchema, JSON.parse(sbom));
writeFileSync(join(root, 'sbom.cdx.json'), sbom);
console.log(`sbom.cdx.json: CycloneDX ${bom.specVersion} with ${bom.components.length} components`);

const auditSchema = v.object({
  vulnerabilities: v.record(v.string(), v.looseObject({ severity: v.string(), range: v.string() })),
});
const answer = npm('audit', '--json', '--package-lock-only').stdout;
const audit = v.safeParse(auditSchema, answer === '' ? {} : JSON.parse(answer));
const isSerious = ({ severity }: { readonly severity: string }) => severity === 'high' || severity === 'critical';
const found = audit.success ? Object.entries(audit.output.vulnerabilities) : [];
if (!audit.success)
  console.log(
    'npm audit: the registry did not answer, so vulnerabilities were NOT checked. Run it again with network.',
  );
else console.log(`npm audit: ${found.length} packages with known vulnerabilities`);
for (const [name, one] of found) console[isSerious(one) ? 'error' : 'log'](`  ${one.severity}: ${name} ${one.range}`);

if (refused.length > 0 || found.some(([, one]) => isSerious(one))) process.exitCode = 1;
