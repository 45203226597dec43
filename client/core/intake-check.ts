import type { Intake } from '@matterdesk/contract/intakes.ts';
import type { ComponentType } from 'react';

export type IntakeCheckProps = Pick<Intake, 'id' | 'name' | 'parties' | 'check'>;

/** The conflict check of an intake; pages pass it to intakes, which cannot import conflicts. */
export type IntakeCheck = ComponentType<{ intake: IntakeCheckProps }>;
