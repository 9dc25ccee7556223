export { createSealer, type EncryptedSecret, type Rotation, type Sealer } from './sealer.ts';
export { createSecrets, loadRootSecret, type Secrets } from './signed-tokens.ts';
