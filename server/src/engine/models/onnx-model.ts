import protobuf from 'protobufjs';

/** The parts of onnx.proto that current networks use. Other fields are lost when a model is written. */
const ONNX = `
  syntax = "proto2";
  message ModelProto {
    optional int64 ir_version = 1;
    repeated OperatorSetIdProto opset_import = 8;
    optional GraphProto graph = 7;
  }
  message OperatorSetIdProto { optional string domain = 1; optional int64 version = 2; }
  message GraphProto {
    repeated NodeProto node = 1;
    optional string name = 2;
    repeated TensorProto initializer = 5;
    repeated ValueInfoProto input = 11;
    repeated ValueInfoProto output = 12;
  }
  message NodeProto {
    repeated string input = 1;
    repeated string output = 2;
    optional string name = 3;
    optional string op_type = 4;
    optional string domain = 7;
    repeated AttributeProto attribute = 5;
  }
  message AttributeProto {
    optional string name = 1;
    optional int32 type = 20;
    optional float f = 2;
    optional int64 i = 3;
    optional bytes s = 4;
    optional TensorProto t = 5;
    optional GraphProto g = 6;
    repeated float floats = 7;
    repeated int64 ints = 8;
    repeated bytes strings = 9;
  }
  message TensorProto {
    repeated int64 dims = 1;
    optional int32 data_type = 2;
    repeated float float_data = 4 [packed = true];
    repeated int32 int32_data = 5 [packed = true];
    repeated int64 int64_data = 7 [packed = true];
    optional string name = 8;
    optional bytes raw_data = 9;
    repeated double double_data = 10 [packed = true];
  }
  message ValueInfoProto { optional string name = 1; optional TypeProto type = 2; }
  message TypeProto { optional Tensor tensor_type = 1; }
  message Tensor { optional int32 elem_type = 1; optional TensorShapeProto shape = 2; }
  message TensorShapeProto { repeated Dimension dim = 1; }
  message Dimension { optional int64 dim_value = 1; optional string dim_param = 2; }
`;

/** ONNX's numbers of the type of tensors of floats, and of the types of attributes. */
export const FLOAT = 1;
export const FLOAT_ATTRIBUTE = 1;
export const INTS = 7;
/** The number of the type of tensors of whole numbers. */
export const INT64 = 7;

/** Integers are read as objects that convert to text and numbers. */
type Integer = number | { toString(): string };
export type Attribute = {
  name: string;
  type: number;
  f?: number;
  i?: Integer;
  s?: Uint8Array;
  ints?: Integer[];
  t?: Tensor;
};
export type Node = { op_type: string; input: string[]; output: string[]; attribute: Attribute[] };
export type Tensor = { name: string; dims: Integer[]; data_type: number; raw_data: Uint8Array };
type Value = { name: string; type: { tensor_type: { shape: { dim: { dim_value: number }[] } } } };
/** Nodes are in execution order. */
export type Graph = { node: Node[]; initializer: Tensor[]; input: Value[]; output: Value[] };
type Model = { graph?: Graph };

/** Type of ONNX models, to read and write them. */
export const onnxModel = () => protobuf.parse(ONNX, { keepCase: true }).root.lookupType('ModelProto');

/** Applies `edits` to the graph of an ONNX file before it is run. Throws if it is not an ONNX model. */
export function editModel(model: Uint8Array, ...edits: ((graph: Graph) => void)[]): Uint8Array {
  const type = onnxModel();
  const decoded = decode(type, model);
  if (!decoded.graph) throw notOne();
  for (const edit of edits) edit(decoded.graph);
  return type.encode(decoded).finish();
}

function decode(type: protobuf.Type, model: Uint8Array): protobuf.Message & Model {
  try {
    return type.decode(model) as protobuf.Message & Model;
  } catch {
    throw notOne();
  }
}

const notOne = () => new Error('the file is not an ONNX model, or is truncated');

/**
 * Changes the input and output shape; the runtime infers those in between. The network is fully convolutional and
 * takes any size divisible by its coarsest grid; only the file says 416 × 416. A 16:9 frame leaves 44 % of that
 * empty, at the same cost.
 */
export const reshaped = (input: readonly number[], output: readonly number[]) => (graph: Graph) => {
  for (const [values, dims] of [
    [graph.input, input],
    [graph.output, output],
  ] as const) {
    for (const { type } of values) type.tensor_type.shape = { dim: dims.map((dim_value) => ({ dim_value })) };
  }
};

/** Removes nodes without a path to the output, last ones first, and their weights. */
export function removeUnused(graph: Graph): void {
  const used = new Set(graph.output.map(({ name }) => name));
  graph.node = graph.node
    .toReversed()
    .filter(({ input, output }) => {
      const isUsed = output.some((name) => used.has(name));
      if (isUsed) for (const name of input) used.add(name);
      return isUsed;
    })
    .toReversed();
  graph.initializer = graph.initializer.filter(({ name }) => used.has(name));
}
