import {
  type ActionReducerMapBuilder,
  createSlice,
  type SliceCaseReducers,
  type ValidateSliceCaseReducers,
} from '@reduxjs/toolkit';

/** The part of a resource that a slice uses. */
interface SliceResource {
  readonly entries: object;
  keepIn: (slice: string, member: string) => void;
  handle: (builder: ActionReducerMapBuilder<object>) => void;
}
type Resources = Record<string, SliceResource>;

type EntriesOf<R extends Resources> = { [Member in keyof R]: R[Member]['entries'] };

interface Options<State, Extra, On extends SliceCaseReducers<State>> {
  /** State beside the resources. */
  state?: Extra;
  /** Reducers by the name of their action. */
  on?: ValidateSliceCaseReducers<State, On>;
  /** Reducers for actions of others. */
  others?: (builder: ActionReducerMapBuilder<State>) => void;
}

/**
 * The slice of a feature: its resources by name, and what changes them.
 * @returns as `createSlice`
 */
export function featureSlice<
  Name extends string,
  R extends Resources,
  On extends SliceCaseReducers<EntriesOf<R> & Extra>,
  Extra extends object = object,
>(name: Name, resources: R, options: Options<EntriesOf<R> & Extra, Extra, On> = {}) {
  const { state, on, others } = options;
  for (const [member, kept] of Object.entries(resources)) kept.keepIn(name, member);
  const empty = Object.fromEntries(Object.keys(resources).map((member) => [member, {}]));
  return createSlice({
    name,
    initialState: { ...empty, ...state } as EntriesOf<R> & Extra,
    reducers: on ?? ({} as ValidateSliceCaseReducers<EntriesOf<R> & Extra, On>),
    extraReducers(builder) {
      others?.(builder);
      for (const kept of Object.values(resources))
        kept.handle(builder as unknown as ActionReducerMapBuilder<object>);
    },
  });
}
