/** The settings of a stage that sets none. In a shared process, `settings()` has those of the first file that asked. */

import * as v from 'valibot';
import { type Settings, settingsSchema } from '../../shared/foundation/settings.ts';
import { settingsText } from './settings-text.ts';

export const defaultSettings: Settings = v.parse(settingsSchema, JSON.parse(settingsText()));
