import { openStages, type Intake, type IntakeCounts } from '@matterdesk/contract/intakes.ts';
import { stageNames } from '../rules.ts';
import { IntakeCard } from './IntakeCard.tsx';

interface IntakeBoardProps {
  intakes: readonly Intake[];
  /** All of each stage; undefined while a search or an owner narrows the board. */
  counts: IntakeCounts | undefined;
  now: Date;
  openId: string | null;
  onOpen: (id: string) => void;
}

/** Open intakes by stage, late ones first. */
export function IntakeBoard({ intakes, counts, now, openId, onOpen }: IntakeBoardProps) {
  return (
    <div className="relative flex min-h-0 grow snap-x gap-3 overflow-x-auto pb-4">
      {openStages.map((stage) => {
        const cards = intakes.filter((intake) => intake.stage === stage);
        return (
          <section
            key={stage}
            aria-label={stageNames[stage]}
            className="flex w-56 flex-none snap-start flex-col xl:min-w-56 xl:flex-1"
          >
            <h2 className="mb-2 text-sm font-semibold">
              {stageNames[stage]}
              <span className="ml-2 font-normal text-ink-3 tabular-nums">
                {(counts?.[stage] ?? cards.length).toLocaleString('en-US')}
              </span>
            </h2>
            <ul className="min-h-24 grow space-y-2 overflow-y-auto rounded-lane bg-sunken p-2">
              {cards.map((intake) => (
                <IntakeCard
                  key={intake.id}
                  intake={intake}
                  now={now}
                  isOpen={intake.id === openId}
                  onOpen={onOpen}
                />
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}
