export const FIELD_TYPES = ['enum', 'text', 'number', 'boolean', 'time_range'] as const;

export type OutputField = {
  /** Lower case: `^[a-z][a-z0-9_]*$`. */
  name: string;
  type: (typeof FIELD_TYPES)[number];
  description: string | null;
  /** Only of an enum. */
  values: string[] | null;
  /** True: the value is a list. */
  repeated: boolean;
  required: boolean;
};

/** Fields that a client requests for each event, or for each video. */
export type OutputSchema = { label: string; scope: 'event' | 'video'; version: number; fields: OutputField[] };

export type FieldValue = string | number | boolean;
/** Values by the name of their field; null: it could not be filled and is not required. */
export type FieldValues = Record<string, FieldValue | FieldValue[] | null>;
export type FieldError = { field: string; message: string };

/** The fields of an event or a video. `values` is null if a required field could not be filled. */
export type StructuredOutput = { label: string; version: number; values: FieldValues | null; errors: FieldError[] };

/** A value that was measured or read, or the reason why there is none. */
export type FieldResult = { value: FieldValue | FieldValue[] } | { missing: string };

/** Fields of an event (by its index) or of the video (null) that measurements do not fill. */
export type UnfilledFields = { event: number | null; fields: OutputField[] };

/**
 * Fills fields that need a model. Returns the values by field for each request, in its order; fields that it cannot
 * fill have a reason. Values are checked against the type of the field afterwards. A failure of the model is a reason.
 */
export type FieldReader = (requests: readonly UnfilledFields[]) => Promise<Record<string, FieldResult>[]>;
