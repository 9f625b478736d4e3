/**
 * Checks the lockfile's packages: licences, and known vulnerabilities (`npm audit`); writes a software bill of
 * materials (CycloneDX, `npm sbom`) to sbom.cdx.json. Fails if the registry does not answer the audit that it asks for.
 *
 *   npm --prefix lab run supply-chain [-- --quick] [-- --without-audit]
 *
 * `--quick`, part of `npm --prefix lab run check:packages`, prints a line for each check, and writes nothing.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { command, run } from '../../infra/command-line/command.ts';
import { checkVulnerabilities } from './audit.ts';
import { checkLicences, printLicenceCounts, printLicences } from './licences.ts';
import { npm } from './npm.ts';

const bomSchema = v.looseObject({
  bomFormat: v.literal('CycloneDX'),
  specVersion: v.string(),
  components: v.array(v.unknown()),
});

const writeBillOfMaterials = (): void => {
  const { stdout } = npm(['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], 60_000);
  const { specVersion, components } = v.parse(bomSchema, JSON.parse(stdout));
  writeFileSync(join(import.meta.dirname, '../../sbom.cdx.json'), stdout);
  console.log(`sbom.cdx.json: CycloneDX ${specVersion} with ${components.length} components`);
};

const check = ({ quick, audit }: { readonly quick: boolean; readonly audit: boolean }): void => {
  if (quick) printLicenceCounts();
  else {
    printLicences();
    writeBillOfMaterials();
  }
  if (!audit) console.log('npm audit: vulnerabilities were NOT checked (--without-audit)');
  const checks = [checkLicences(), !audit || checkVulnerabilities(30_000)];
  if (checks.includes(false)) process.exitCode = 1;
};

await run(
  command('npm --prefix lab run supply-chain --')
    .description(
      'Checks the licences of the packages in the lockfile, and asks the registry for known vulnerabilities. ' +
        'Writes a bill of materials (CycloneDX) to sbom.cdx.json. Fails if the registry does not answer.',
    )
    .option('--quick', 'Print a line for each check, and write nothing.', false)
    .option('--without-audit', 'Ask no registry for vulnerabilities, for a machine without one that answers.')
    .action(({ quick, withoutAudit = false }) => check({ quick, audit: !withoutAudit })),
);
