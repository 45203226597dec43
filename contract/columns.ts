/** Columns of every board, in order. */
export const columnIds = [
  'intake',
  'demandOfInsurance',
  'finalLawsuit',
  'discovery',
  'adr',
] as const;
export type ColumnId = (typeof columnIds)[number];
export const columnTitles: Record<ColumnId, string> = {
  intake: 'Intake',
  demandOfInsurance: 'Demand of Insurance',
  finalLawsuit: 'Final Lawsuit',
  discovery: 'Discovery',
  adr: 'ADR',
};
