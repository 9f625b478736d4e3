/** A switch that is killed after any request or any write of its record. Each direction has a file, so that both run at the same time. */
import { killEverywhere } from '../support/ghost-kill-points.ts';

killEverywhere('switch');
