import { createAction } from '@reduxjs/toolkit';
import type { ComponentType } from 'react';
import type { Intake } from '@matterdesk/contract/intakes.ts';

export type IntakeCheckProps = Pick<Intake, 'id' | 'name' | 'parties' | 'check'>;

/** The conflict check of an intake; pages pass it to intakes, which cannot import conflicts. */
export type IntakeCheck = ComponentType<{ intake: IntakeCheckProps }>;

/** The conflict check of this intake was run, decided or concluded here: what shows the intake is read again. */
export const intakeChecked = createAction<string>('intakeChecked');
