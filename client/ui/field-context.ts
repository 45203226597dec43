import { createContext, useContext, useId } from 'react';

/** Props that a field passes to its control. */
export interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  'aria-required': true | undefined;
}

export const FieldContext = createContext<FieldControl | null>(null);

/** The attributes that link a control to the label, the hint and the error of its field. */
export function useFieldControl(own: { id?: string | undefined }): FieldControl {
  const field = useContext(FieldContext);
  const ownId = useId();
  if (field !== null && own.id === undefined) return field;
  return {
    id: own.id ?? ownId,
    'aria-describedby': field?.['aria-describedby'],
    'aria-invalid': field?.['aria-invalid'],
    'aria-required': field?.['aria-required'],
  };
}
