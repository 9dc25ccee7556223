/**
 * Fails if the models of the Python client are not what the API description generates now. Without their generator,
 * which no npm package contains, they are reported as skipped; with `CI=true` that is a failure.
 * Part of `npm run check`.
 */
import { generatePythonModels, PYTHON_MODELS_SKIPPED } from './python-models.ts';

const models = await generatePythonModels();
if (models === 'missing generator') console.log(PYTHON_MODELS_SKIPPED);
if (models === 'stale')
  console.error('Not what server/openapi.json generates now. Run npm run generate and commit the result.');
if (models === 'stale' || (models === 'missing generator' && process.env.CI === 'true')) process.exitCode = 1;
