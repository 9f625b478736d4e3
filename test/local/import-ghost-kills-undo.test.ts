/** An undo that is killed after any of its requests. Switch and undo have a file each, so that both run at once. */
import { killEverywhere } from '../support/ghost-kill-points.ts';

killEverywhere('undo');
