import { useId } from 'react';

/** A CSS name that links a popup (`positionAnchor`) to its anchor (`anchorName`). */
export function useAnchorName(): string {
  return `--anchor-${useId().replace(/\W/g, '')}`;
}
