import { useId } from 'react';

/** A name that ties a popup to its anchor, as CSS wants it: `anchorName` here, `positionAnchor` there. */
export function useAnchorName(): string {
  return `--anchor-${useId().replace(/\W/g, '')}`;
}
