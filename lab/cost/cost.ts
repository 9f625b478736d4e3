/** `npm --prefix lab run cost`: prints what deliveries and an idle stage cost on AWS and writes docs/cost.md. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseStage } from '../../infra/cdk/parse-stage.ts';
import { stages } from '../../infra/cdk/stages.ts';
import { command, run } from '../../infra/command-line/command.ts';
import { costOfDeliveries, total } from './model.ts';
import { costPage } from './page.ts';
import { priceList } from './price.ts';
import { restRows } from './rest.ts';
import { readUse } from './use.ts';

const show = (name: string, usd: number): void => console.log(`  ${name.padEnd(34)} ${usd.toFixed(2).padStart(6)}`);

await run(
  command('npm --prefix lab run cost --')
    .description('Calculates what deliveries and an idle stage cost on AWS, in US dollars.')
    .option('--page', 'Write docs/cost.md.', false)
    .action(async ({ page }) => {
      const use = readUse();
      const prices = priceList();
      if (page) writeFileSync(join(import.meta.dirname, '../../docs/cost.md'), costPage(use));
      console.log(`USD in ${prices.region}, prices of ${prices.date}`);
      for (const [subscribers, counted] of Object.entries(use)) {
        console.log(`\nA million deliveries of events with ${subscribers} subscribers, counted on ${counted.date}`);
        const cost = costOfDeliveries(prices, counted);
        for (const [part, usd] of Object.entries(cost)) show(part, usd);
        show('all', total(cost));
      }
      console.log('\nA month at rest, after the free tier');
      for (const name of ['dev', 'prod'] as const)
        show(
          name,
          restRows(prices, parseStage(name, stages[name])).reduce((sum, { afterFree }) => sum + afterFree, 0),
        );
    }),
);
process.exit();
