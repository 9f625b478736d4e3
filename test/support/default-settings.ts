/** The settings of a stage that sets none. Files that share a process cannot ask `settings()`: it answers with those of the file that asked first. */

import * as v from 'valibot';
import { type Settings, settingsSchema } from '../../shared/foundation/settings.ts';
import { settingsText } from './settings-text.ts';

export const defaultSettings: Settings = v.parse(settingsSchema, JSON.parse(settingsText()));
