// Generated from server/openapi.json.

export interface paths {
    "/api/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow changes
         * @description Streams what changes among the videos, uploads, analyses, batches, imports, recordings and live sessions that you may read, until you disconnect. Resumes after the id of any event of the last two days, on any node, without gaps or duplicates.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["followActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analyze-video-edge/{video_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run the query of an agent (older clients)
         * @description Starts an analysis of one video; poll its document until it is completed.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["analyzeVideoEdge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analyze-video/{video_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find events in a video (older clients)
         * @description Starts an analysis of one video; poll its document until it is completed.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["analyzeVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Query one video (older clients)
         * @description Starts an analysis of one video. Once it is completed, its status contains the events and the answer.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["askVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ask-question": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export an operating domain
         * @description Not part of this service: always 501, with a message that states the alternative.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["askStructured"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit log
         * @description Lists changes to the keys, sessions, members, integrations, scheduled imports and models, deletions of analyses and reviews, of your organization, newest first: the user, the action, the changed object, the time and the origin. `action` and `user_id` limit the list.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        get: operations["listAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit-events/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the audit log
         * @description Streams the whole log of your organization, oldest first, as JSON lines or as CSV.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        get: operations["exportAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a link
         * @description Accepts an invitation, the link of the first owner, or a password link: sets the password, starts a session and sets its cookie. A link works once.
         *
         *     Needs no key.
         */
        post: operations["acceptLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the ways to sign in
         * @description Returns which ways to sign in this service offers. For sign-in pages.
         *
         *     Needs no key.
         */
        get: operations["getSignInMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your password
         * @description Sets a new password. All your sessions end; this browser gets a new one.
         *
         *     Needs a session: someone who is signed in. A key is not enough.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your profile
         * @description Changes your name and your language. They apply in all your sessions.
         *
         *     Needs a session: someone who is signed in. A key is not enough.
         */
        patch: operations["changeProfile"];
        trace?: never;
    };
    "/api/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current session
         * @description Returns the user who is signed in in this browser, and their permissions.
         *
         *     Needs a session: someone who is signed in. A key is not enough.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * @description Lists your sessions in all browsers.
         *
         *     Needs a session: someone who is signed in. A key is not enough.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of your sessions
         * @description Signs out one of your browsers.
         *
         *     Needs a session: someone who is signed in. A key is not enough.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * @description Starts a session and sets its cookie. The response to a wrong password and to an unknown address is the same. The number of attempts is limited for each address and each account.
         *
         *     Needs no key.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends this session.
         *
         *     Needs a session: someone who is signed in. A key is not enough.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-out-everywhere": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out everywhere
         * @description Ends all your sessions, including this one. Keys remain valid.
         *
         *     Needs a session: someone who is signed in. A key is not enough.
         */
        post: operations["signOutEverywhere"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sso": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign in by single sign-on
         * @description Redirects the browser to the OpenID Connect provider that the operator configured.
         *
         *     Needs no key.
         */
        get: operations["beginSso"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sso/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Finish single sign-on
         * @description The provider redirects the browser here. Starts a session and sets its cookie.
         *
         *     Needs no key.
         */
        get: operations["finishSso"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sso/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link single sign-on to your account
         * @description Open the returned URL in the browser and sign in with the provider. That identity can then sign in to your account.
         *
         *     Needs a session: someone who is signed in. A key is not enough.
         */
        post: operations["linkSso"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/batch/{batch_id}/analyses/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get analysis documents in bulk
         * @description Returns the documents of up to 500 videos of a batch.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["getBatchAnalyses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/batch/{batch_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a batch
         * @description Ends the running analyses of your own batch; they fail with `analysis_cancelled`, and the stream ends with `done`. Completed analyses keep their documents. A batch that has ended is returned unchanged.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["cancelBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/batch/{batch_id}/filter_batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the events of a batch by approval
         * @description Returns the results that have events in the given approval states, limited to those events.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["filterBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/batch/{batch_id}/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add metadata to a batch
         * @description Merges names and values into the metadata of your own batch. Existing names are replaced.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["annotateBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/batch/{batch_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry the failed analyses of a batch
         * @description Starts a new batch with the same prompt, plan and mode on those videos of your own batch whose analysis failed or was canceled. `config.retry_of` of the new batch is the id of this one.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["retryBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/batch/{batch_id}/sort_edge_cases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the events of a batch, rarest first
         * @description Returns all results. `uniqueness_rating` of an event, from 0 to 1, states how rare its kind is in the batch, and `uniqueness_reasoning` explains it. The rarest events are first, equal ones by confidence.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["sortBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/batch/{batch_id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of a batch
         * @description Returns the number of ended analyses and the status of each. Documents of the analyses that count as completed are readable.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getBatchStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List batches
         * @description Lists the batches that you may read, newest first.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        get: operations["listBatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cloud-integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List integrations
         * @description Returns the saved integrations that you may use, without their secrets.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        get: operations["listIntegrations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cloud-integrations/gcs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Save a Google Cloud Storage integration
         * @description Tests the service account and saves it encrypted.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        post: operations["createGcsIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cloud-integrations/gcs-storage-transfer/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Keyless import setup of Google Cloud Storage
         * @description Returns the Google service account of this deployment. Grant it the roles once on your bucket; no key changes hands and nothing is stored. 501 if the operator has not configured one.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        get: operations["getReaderSetup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cloud-integrations/hf-bucket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Save a Hugging Face integration
         * @description Tests the token and saves it encrypted.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        post: operations["createHuggingFaceIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cloud-integrations/s3": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Save an S3 integration
         * @description Tests the keys and saves them encrypted. Set `endpoint_url` for compatible servers such as R2 and MinIO.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        post: operations["createS3Integration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cloud-integrations/s3-storage-transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Save a role-based S3 integration
         * @description Tests that the role can be assumed and can read the bucket. No keys are stored.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        post: operations["createRoleIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cloud-integrations/s3-storage-transfer/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Role-based S3 import setup
         * @description Returns the identity of this deployment and the trust policy for a role in your AWS account. 409 if the operator has not configured an identity.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        get: operations["getRoleSetup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cloud-integrations/{integration_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an integration
         * @description Returns the integration without its secrets.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        get: operations["getIntegration"];
        put?: never;
        post?: never;
        /**
         * Delete an integration
         * @description Deletes the integration, its secrets and its scheduled imports. Requires the creator or an admin key. 409 while an import uses it.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        delete: operations["deleteIntegration"];
        options?: never;
        head?: never;
        /**
         * Change an integration
         * @description Changes the name, the bucket or the credentials. Requires the creator or an admin key.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        patch: operations["changeIntegration"];
        trace?: never;
    };
    "/api/cloud-integrations/{integration_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test an integration
         * @description Lists objects and reads one byte. The response is 200 even if the provider rejects the request; see `ok`.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        post: operations["testIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/create-agent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Train an agent
         * @description Not part of this service: always 501, with a message that states the alternative.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/create-batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Query videos (older clients)
         * @description The same as `/api/router/v2/query/start`, as a form.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["createBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/data-curation/datasets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a dataset
         * @description Names a set of batches, and of videos without analyses. Batches that have not ended are accepted: the dataset is `ready` when they have.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        post: operations["createDataset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/data-curation/datasets/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List datasets
         * @description Lists your datasets, or those that are shared in the organization, newest first.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        post: operations["listDatasets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/data-curation/datasets/{dataset_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a dataset
         * @description Returns a dataset with its status and its counts as of now.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        get: operations["getDataset"];
        put?: never;
        post?: never;
        /**
         * Delete a dataset
         * @description Deletes your dataset. Its batches, analyses and videos stay.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        delete: operations["deleteDataset"];
        options?: never;
        head?: never;
        /**
         * Change a dataset
         * @description Renames your dataset, or adds and removes batches and videos.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        patch: operations["changeDataset"];
        trace?: never;
    };
    "/api/data-curation/datasets/{dataset_id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the URL of a dataset
         * @description Returns a URL from which the dataset is downloaded without a key. The file is written while it is read: it has the verdicts and corrections of that moment. With `val_share` or `test_share`, each video has a `split`, by its id: the same in every dataset, and for all views of an event.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        get: operations["downloadDataset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/data-curation/datasets/{dataset_id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a dataset
         * @description The dataset as JSON, by its signed URL. It is streamed, so its size is not known in advance.
         *
         *     Needs no key.
         */
        get: operations["getDatasetFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/datasets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a browsable dataset
         * @description Not part of this service: always 501, with a message that states the alternative.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["createStudioDataset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/datasets/mine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List browsable datasets
         * @description Not part of this service: always 501, with a message that states the alternative.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["listStudioDatasets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/direct-uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a direct upload
         * @description Starts an upload whose parts you send to the S3 storage yourself, each with PUT to its URL, in any order and in parallel; then complete it. Its size is reserved until it is completed or expires. On a service that stores files on its own disk this is 409: upload in one request or by tus there.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["createDirectUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/direct-uploads/{upload_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the progress of a direct upload
         * @description Returns the parts that storage has received; send the missing ones.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getDirectUpload"];
        put?: never;
        post?: never;
        /**
         * End a direct upload
         * @description Ends an upload and removes its parts. A completed upload is a video and stays.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        delete: operations["endDirectUpload"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/direct-uploads/{upload_id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a direct upload
         * @description Creates the video once all parts are received. A file that is not readable, or whose digest differs from `sha256`, is refused here and removed; a large one may still be `processing` in the response.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["completeDirectUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/direct-uploads/{upload_id}/parts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get URLs for parts of a direct upload
         * @description Returns a URL for each requested part. A URL is valid for one hour and accepts exactly that part.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["signUploadParts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the events of all analyses
         * @description Lists the events of completed analyses that you may read and that match all filters, page by page. Candidates below the confidence of their analysis are not included. The cost of a page does not grow with the number of events.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Review several events
         * @description Sets one verdict on up to 500 events, all or none. They are undone together.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["reviewEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an event
         * @description Returns an event of a completed analysis that you may read, as lists of events do.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Review an event
         * @description Sets your verdict on an event, and corrects its label, severity, times or note. The event is decided when as many reviewers agree as its folder needs (default: one, then the latest verdict counts). The analysis document, lists, batches and exports show the result.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        patch: operations["reviewEvent"];
        trace?: never;
    };
    "/api/events/{event_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of an event
         * @description Lists who changed what on this event, newest first.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["listEventHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/evidence/{analysis_id}/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an evidence image
         * @description A JPEG of an evidence frame with its boxes, by the signed URL from an analysis document. It is drawn at the first request and stored. `HEAD`, `If-None-Match` and `Range` are supported. An altered or expired URL is 403; an image of a deleted video, or of a damaged part of a video, is 404.
         *
         *     Needs no key.
         */
        get: operations["getEvidencePicture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your exports
         * @description Lists your exports of the last week, newest first.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["listExports"];
        put?: never;
        /**
         * Export events
         * @description Starts to write the events that match into a file. Read the export until its status is `completed`; its `download_url` then needs no key. It has the events that `GET /api/events` lists for you with the same filters, ordered by video and time, as of one moment. The file is deleted after a week.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["createExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/exports/dataset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export selected videos and events as MCAP
         * @description Starts to write one MCAP file with the events of each video, which lies beside the video. Read the export until its status is `completed`, then download the files that its manifest lists. They have the verdicts and corrections of the time of the export. The export is deleted after a week.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["createDatasetExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/exports/dataset/{dataset_export_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an export of selected videos
         * @description Returns the status of an export, and the URL of its manifest once the files are written.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getDatasetExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/exports/dataset/{dataset_export_id}/files/{video_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the events of a video of an export
         * @description The events of one video as MCAP, by its signed URL. `HEAD`, `If-None-Match` and `Range` work.
         *
         *     Needs no key. A key limited to a folder can access that folder.
         */
        get: operations["getDatasetExportFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/exports/dataset/{dataset_export_id}/manifest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of an export
         * @description The files of an export, by its signed URL: for each video its events, and the video itself. Each has a URL, its size and its SHA-256.
         *
         *     Needs no key. A key limited to a folder can access that folder.
         */
        get: operations["getDatasetExportManifest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/exports/dataset/{dataset_export_id}/refresh-urls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew the URLs of an export
         * @description Returns the export with a new URL of its manifest, as each read does. Nothing is written again.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["refreshDatasetExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/exports/{export_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an export
         * @description Returns the status of an export, and the URL of its file once it is written.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getExport"];
        put?: never;
        post?: never;
        /**
         * Delete an export
         * @description Deletes your export with its file; one that is being written is canceled.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        delete: operations["deleteExport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/exports/{export_id}/files/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an export
         * @description The file of an export, by its signed URL. `HEAD`, `If-None-Match` and `Range` are supported.
         *
         *     Needs no key. A key limited to a folder can access that folder.
         */
        get: operations["getExportFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List folders
         * @description Lists your personal folders and the folders of your organization, by name.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["listFolders"];
        put?: never;
        /**
         * Create a folder
         * @description Creates a personal or an organization folder. A name that is taken in its scope is 409.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        post: operations["createFolder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/folders/create-or-get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a folder by name, or create it
         * @description Returns the folder with this name and scope, and creates it if there is none. Concurrent requests get the same folder.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["createOrGetFolder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/folders/get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a folder by name
         * @description Returns the folder with this name in this scope.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getFolder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/folders/{folder_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a folder
         * @description Returns the folder with this id.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getFolderById"];
        put?: never;
        post?: never;
        /**
         * Delete a folder
         * @description Deletes a folder. If it contains videos, `videos` must state whether they are moved or deleted; without it the answer is 409.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        delete: operations["deleteFolder"];
        options?: never;
        head?: never;
        /**
         * Rename or change a folder
         * @description Changes the name, the description or the retention of videos. A name that is taken in its scope is 409.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        patch: operations["changeFolder"];
        trace?: never;
    };
    "/api/fuse_multiview_results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fuse the events of several views
         * @description Fuses the events of batches that queried views. Events of one category that overlap on the clock of the primary view, with a tolerance of one second, become one event with a list of views, unless their objects differ by class or clearly by color or, without objects, by label. Camera positions are unknown: two similar objects at the same time become one event.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        post: operations["fuseViews"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gcs/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import from Google Cloud Storage
         * @description Starts an import that runs in the background; poll the job or its rows for progress. Named objects are checked first: an unreadable one is a failed row, and the request fails with 400 if none can be read. Objects that an import visible to you has already imported in the same version are skipped unless `force` is true.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        post: operations["importFromGcs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check liveness
         * @description Responds as long as the process runs, whatever the state of the database and the storage. For liveness probes.
         *
         *     Needs no key.
         */
        get: operations["getApiHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hf-buckets/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import from Hugging Face
         * @description Starts an import that runs in the background; poll the job or its rows for progress. Named objects are checked first: an unreadable one is a failed row, and the request fails with 400 if none can be read. Objects that an import visible to you has already imported in the same version are skipped unless `force` is true.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        post: operations["importFromHuggingFace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List import jobs
         * @description Returns your import jobs and those of the organization, newest first.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        get: operations["listImportJobs"];
        put?: never;
        /**
         * Import recordings by directory
         * @description Not part of this service: always 501, with a message that states the alternative.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["importRecordings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import-jobs/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview an import
         * @description Lists the objects that match a selection, page by page, without importing them.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        post: operations["previewImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import-jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an import job
         * @description Returns the status and counters of an import.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        get: operations["getImportJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import-jobs/{job_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an import
         * @description Cancels a running import. Imported videos stay; the other rows fail. 409 if it has already ended.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        post: operations["cancelImportJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import-jobs/{job_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry failed rows
         * @description Imports the failed rows again, under the same video ids, and continues an interrupted listing; with `video_ids` only the named rows. 409 while the import is running, or if nothing failed.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        post: operations["retryImportJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import-jobs/{job_id}/videos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List import job videos
         * @description Returns a page of the rows of an import: each object with the id of its video, its status and, if it failed, the error. The order is stable; rows are appended while the bucket is listed.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        get: operations["listImportJobVideos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import-syncs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List scheduled imports
         * @description Returns your scheduled imports and those of the organization.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        get: operations["listImportSyncs"];
        put?: never;
        /**
         * Schedule an import
         * @description Imports a selection on a schedule. Each run imports the objects that are new or have another version (ETag) or size than before. The first run starts within a minute.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        post: operations["createImportSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import-syncs/{sync_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a scheduled import
         * @description Returns a scheduled import with its last job and the time of its next run.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        get: operations["getImportSync"];
        put?: never;
        post?: never;
        /**
         * Delete a scheduled import
         * @description Deletes the schedule. The current run continues, and imported videos stay.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        delete: operations["deleteImportSync"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import-syncs/{sync_id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a scheduled import now
         * @description Starts a run immediately, or as soon as the current run ends. Restarts a scheduled import that has stopped.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        post: operations["runImportSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/infer-output-schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the fields that a prompt requests
         * @description Returns an `output_schema` for a prompt that states the form of its answer, such as "VERDICT: yes/no/uncertain", "answer low|medium|high" or an example as JSON; of other prompts what a configured language model finds; else null with the reason. Nothing is stored.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["inferOutputSchema"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List open invitations
         * @description Lists the invitations of your organization that were not accepted yet.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite someone
         * @description Creates a link to join your organization. Send it to the invited person: it is shown only in this response. Earlier invitations of the same address are revoked. Only owners can invite owners.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invitations/{invitation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an invitation
         * @description Revokes an open invitation. Its link no longer works.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List keys
         * @description Lists the keys of your own user, newest first; for admins, all keys of the organization.
         *
         *     Needs a valid key or a session, whatever its scopes.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key
         * @description Creates a key of your own user. Only admins can create keys with the scope `admin`. The value of the key is shown only in this response. A repeat with the same `Idempotency-Key` creates no second key, but cannot show the first one again: it gets 409 with the id of the key.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a key
         * @description Returns the owner and the permissions of the key. Takes a valid key of any scope, and no body. In a session it describes the signed-in user.
         *
         *     Needs a valid key or a session, whatever its scopes. A key limited to a folder can access that folder.
         */
        post: operations["verifyKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a key
         * @description Revokes a key of your own or, for admins, of anyone in the organization. Revocation is final and takes effect on every node within a second. Revoking a key again changes nothing.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/list-agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List trained agents
         * @description Not part of this service: always 501, with a message that states the alternative.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["listAgents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/attach-stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or change a stream
         * @description Creates a stream for sessions, or changes its name and source.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        post: operations["attachLiveStream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/end-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a session
         * @description Ends the session. Its recording becomes a video within seconds. Ending a session again is not an error.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["endLiveSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/live-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions
         * @description Lists active and ended sessions, without their chunks and events.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["listLiveSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/live-sessions/{stream_id}/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a session
         * @description Returns the status of the session, its last chunks, its gaps and all its events.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getLiveSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/media/{session_id}/evidence/{picture}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an image of an event of a session
         * @description A frame of an event’s evidence with its boxes, drawn on the first request. `Range`, `If-None-Match` and `HEAD` work. An expired or altered URL is 403.
         *
         *     Needs no key.
         */
        get: operations["getLiveEvidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/media/{session_id}/index.m3u8": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the manifest of a session by its signed URL
         * @description The multivariant playlist, which refers to the media playlist. `Range`, `If-None-Match` and `HEAD` work. An expired or altered URL is 403.
         *
         *     Needs no key.
         */
        get: operations["getLiveManifest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/media/{session_id}/stream.m3u8": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the playlist of a session
         * @description The media playlist: the last minutes of an active session, or a complete recording. `Range`, `If-None-Match` and `HEAD` work. An expired or altered URL is 403.
         *
         *     Needs no key.
         */
        get: operations["getLivePlaylist"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/media/{session_id}/{part}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a segment of a session
         * @description An initialization section or a segment of the playlist. `Range`, `If-None-Match` and `HEAD` work. An expired or altered URL is 403.
         *
         *     Needs no key.
         */
        get: operations["getLivePart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/session/{session_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a session
         * @description Streams the events of a session after `last_id`, until the session has ended.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["followLiveSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/session/{session_id}/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the query of a session
         * @description Replaces or extends the query of an active session from the next chunk. Earlier events remain, and unchanged parts of the query continue. 409 if the session has ended.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["askLiveSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/session/{session_id}/signed-manifest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a signed URL for live playback
         * @description Creates a short-lived signed URL for the HLS manifest of a session. It plays without a key, live during the session and as a recording afterwards. Playlists have their own tokens, so playback that has already started continues.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["signLiveManifest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/start-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a session
         * @description A worker connects to the source, records it and analyzes it with the query. The session runs until you end it or the source is unavailable for too long. 429 if the organization has reached its limit of concurrent sessions.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["startLiveSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/marketplace/datasets/{dataset_id}/facet-rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the values of a browsable dataset
         * @description Not part of this service: always 501, with a message that states the alternative.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getStudioFacets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/marketplace/datasets/{dataset_id}/filter-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Filter a browsable dataset
         * @description Not part of this service: always 501, with a message that states the alternative.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["filterStudioDataset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/marketplace/datasets/{dataset_id}/resolve-criteria": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Select events of a browsable dataset
         * @description Not part of this service: always 501, with a message that states the alternative.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["resolveStudioCriteria"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/marketplace/datasets/{dataset_id}/semantic-search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search a browsable dataset
         * @description Not part of this service: always 501, with a message that states the alternative.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["searchStudioDataset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/marketplace/datasets/{dataset_id}/structured-filter-schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the fields of a browsable dataset
         * @description Not part of this service: always 501, with a message that states the alternative.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getStudioFilterSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/marketplace/datasets/{dataset_id}/taxonomy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a taxonomy to a browsable dataset
         * @description Not part of this service: always 501, with a message that states the alternative.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["addStudioTaxonomy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/marketplace/datasets/{dataset_id}/taxonomy/{run_id}/materialize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish a taxonomy
         * @description Not part of this service: always 501, with a message that states the alternative.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["publishStudioTaxonomy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/marketplace/datasets/{dataset_id}/taxonomy/{run_id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of a taxonomy
         * @description Not part of this service: always 501, with a message that states the alternative.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getStudioTaxonomy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List ingests
         * @description Lists the recordings that you may read, uploaded or imported, newest first.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["listMcapIngests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcap/cloud-ingest/s3": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start S3 MCAP cloud ingest
         * @description Starts MCAP ingest from an existing S3 integration; integrations of other types work as well. Each file becomes an ingest, is transferred and processed. Files that an import visible to you has already imported in the same version are skipped unless `force` is true; the response then has the earlier ingest.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        post: operations["startMcapCloudIngest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcap/create-ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an ingest for a recording
         * @description Returns the URL for the upload of an MCAP recording. Process the ingest after the upload. An ingest that is not uploaded or not processed within two days fails, and its file is deleted.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["createMcapIngest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcap/import-jobs/{mcap_import_job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an MCAP import job
         * @description Returns the status of an import and of each of its files.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getMcapImportJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcap/{ingest_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an ingest
         * @description Returns the status of an ingest, the content of the recording and the result of each channel.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getMcapIngest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcap/{ingest_id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload a recording
         * @description Stores the whole file in one request. A file of another size or SHA-256 than stated is discarded; upload it again.
         *
         *     Needs no key.
         */
        put: operations["uploadMcapFile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcap/{ingest_id}/process": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Convert a recording to videos
         * @description Starts to convert each image channel to a video with the telemetry of the recording. Poll the ingest. After the start, the request sets roles as stitch does.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["processMcapIngest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcap/{ingest_id}/stitch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stitch MCAP views
         * @description Applies explicit front-channel and role metadata to an MCAP ingest: its videos become views of one scene, one of them primary. Channels without a role get an unused one that their topic suggests. Can be repeated with other roles; nothing is decoded again. Roles that are set while the recording is processed apply when it is complete.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["stitchMcapViews"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/media/{video_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Play a video by its signed URL
         * @description The uploaded video file. Supports `Range`, `If-Range`, `If-None-Match` and `HEAD`. An expired or altered URL is answered with 403.
         *
         *     Needs no key.
         */
        get: operations["playVideo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/media/{video_id}/captions.vtt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the captions of a video by its signed URL
         * @description The first track of text subtitles in the video file, as WebVTT. If the file has none, the transcript of what is spoken, once the video was queried for speech; without captions otherwise. Subtitles that are images are not read. Supports `Range`, `If-Range`, `If-None-Match` and `HEAD`. An expired or altered URL is answered with 403.
         *
         *     Needs no key.
         */
        get: operations["getCaptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/media/{video_id}/clip.mp4": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Play a clip of a video by its signed URL
         * @description The range that the URL was signed for, as MP4 (H.264, AAC), frame-accurate. The first request waits until the clip is encoded. Supports `Range`, `If-Range`, `If-None-Match` and `HEAD`. An expired or altered URL is answered with 403.
         *
         *     Needs no key.
         */
        get: operations["getClip"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/media/{video_id}/frame.jpg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a frame of a video by its signed URL
         * @description The frame shown at a given time, in full size, as JPEG. Supports `Range`, `If-Range`, `If-None-Match` and `HEAD`. An expired or altered URL is answered with 403.
         *
         *     Needs no key.
         */
        get: operations["getFrame"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/media/{video_id}/hls/index.m3u8": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream a video by its signed URL (HLS)
         * @description HLS playlist with fragmented MP4 segments. They contain the original packets if browsers play the codec, and are encoded as H.264 otherwise. Supports `Range`, `If-Range`, `If-None-Match` and `HEAD`. An expired or altered URL is answered with 403.
         *
         *     Needs no key.
         */
        get: operations["getPlaylist"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/media/{video_id}/hls/{segment}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a segment of an HLS stream
         * @description A file of the playlist: `init.mp4` or a segment. The first request for a segment waits until it is generated. Supports `Range`, `If-Range`, `If-None-Match` and `HEAD`. An expired or altered URL is answered with 403.
         *
         *     Needs no key.
         */
        get: operations["getSegment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/media/{video_id}/poster.jpg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the poster of a video by its signed URL
         * @description A frame from near the beginning as JPEG. Supports `Range`, `If-Range`, `If-None-Match` and `HEAD`. An expired or altered URL is answered with 403.
         *
         *     Needs no key.
         */
        get: operations["getPoster"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/media/{video_id}/storyboard.jpg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the thumbnails of a storyboard
         * @description All thumbnails in one JPEG. The storyboard gives the area of each, and the token. Supports `Range`, `If-Range`, `If-None-Match` and `HEAD`. An expired or altered URL is answered with 403.
         *
         *     Needs no key.
         */
        get: operations["getStoryboardPicture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/media/{video_id}/storyboard.vtt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the storyboard of a video by its signed URL
         * @description WebVTT with one thumbnail per interval of the video, as an area of `storyboard.jpg`. Supports `Range`, `If-Range`, `If-None-Match` and `HEAD`. An expired or altered URL is answered with 403.
         *
         *     Needs no key.
         */
        get: operations["getStoryboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members
         * @description Lists the members of your organization.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member
         * @description Ends the sessions and the invitations of the member at once and their keys within a second. Their videos, folders and analyses remain. The only owner cannot be removed.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change a member's role
         * @description Takes effect on the sessions of the member at once and on their keys within a second. Only owners can appoint or change owners. The only owner cannot be demoted.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        patch: operations["changeRole"];
        trace?: never;
    };
    "/api/multi-view": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sets of views
         * @description Lists the sets of which you can see at least two views, newest primary video first. With `video_id`, the list has the set of this video, or is empty.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["listViewSets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/multi-view/stitch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link videos as views of one event
         * @description Links videos as one set of views, one of them primary, and ends the sets they were in. Repeat it to change roles, labels or offsets; omitted labels are retained.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["stitchViews"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/multi-view/{video_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the views of an event
         * @description Returns the set of views that contains the video.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getViews"];
        put?: never;
        post?: never;
        /**
         * End a set of views
         * @description Ends the set that contains the video. The videos stay.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        delete: operations["unlinkViews"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/multi-view/{video_id}/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Query all views
         * @description Starts one analysis per view of the set in one batch, as the start endpoint does. When the batch is done, `POST /api/fuse_multiview_results` returns each event once, with the views that show it.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        post: operations["queryViews"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/multi-view/{video_id}/signed-urls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get URLs that play all views
         * @description Returns a signed URL and the offset of each view. It is 409 if a view is not ready.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["signViews"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/my-videos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List videos
         * @description Lists the videos that you can see, newest first: your own and those of the organization; with an admin key, all of the organization.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["listVideos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your organization
         * @description Returns the organization that all your objects belong to.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename your organization
         * @description Changes the name of your organization.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        patch: operations["renameOrganization"];
        trace?: never;
    };
    "/api/organization/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transfer ownership
         * @description Makes another member owner, and you an admin. Only owners can transfer ownership.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        post: operations["transferOwnership"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/datasets/{dataset_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a browsable dataset
         * @description Not part of this service: always 501, with a message that states the alternative.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getStudioDataset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/video/{video_id}/signed-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the URL of a public sample video
         * @description Not part of this service: always 404, with a message that states the alternative.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        post: operations["getSampleUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/review/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign events to a reviewer
         * @description Assigns events to you or another member for a limited time. Lists with `to_review` leave out what is assigned to others. Events that somebody else works on stay with them, unless you are an admin.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["assignEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/review/folders/{folder_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how a folder is reviewed
         * @description Returns the number of reviewers that the events of the folder need, and how far reviewers agree.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getFolderReview"];
        /**
         * Set how a folder is reviewed
         * @description Sets the number of reviewers who must agree before an event of the folder is decided.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        put: operations["setFolderReview"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/review/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the assignment of events
         * @description Makes events available to all reviewers again. Those of others stay with them, unless you are an admin.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["releaseEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/review/scores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get precision and recall from reviews
         * @description Returns precision, recall, temporal overlap and calibration of the events that you may read and that were reviewed, for each prompt, engine version and folder.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getReviewScores"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/review/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo your last review
         * @description Undoes your last request that changed or added events; repeat it to undo earlier ones. An added event becomes `rejected`, because ids of events are never used twice. If somebody else changed the same field since, it is 409.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        post: operations["undoReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/router/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Query videos in fast mode
         * @description Like the start endpoint, in fast mode. If all frames of a video were observed before, the answer uses them. Otherwise it uses one sparse pass: a frame every two seconds where anything changes, and all of the audio. Events of the sparse pass have a lower confidence. In videos of up to ten minutes, fast mode looks closer (stage `looking_closer`) if a part of the prompt needs every frame, such as motion, cuts or counts, or if the sparse pass found nothing certain: it processes every frame, and thinking mode does not repeat that. In longer videos it looks closer at the ranges in which an answer is most likely, ten minutes in all: `coverage` lists them, and reports the distance between frames in the rest.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["startFastQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/router/v2/query/events/{stream_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a query
         * @description Streams the events of a query after `last_id`, until the query has ended.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["followQuery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/router/v2/query/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a query
         * @description Dry run: returns how the prompt is understood, who would search for each part or why nobody can, and the estimated cost. Nothing is stored and no video is decoded.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["planQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/router/v2/query/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Query videos
         * @description Starts one analysis per video and returns at once. Follow the stream, or poll the batch. A repeat with the same `Idempotency-Key` returns the same batch.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["startQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/router/v2/query/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Query videos and stream the events
         * @description Starts one analysis per video and streams their events in the same response. The analyses continue if the client disconnects; a repeat with the same `Idempotency-Key`, or the events endpoint, resumes the stream.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["streamQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/s3/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import from S3
         * @description Starts an import that runs in the background; poll the job or its rows for progress. Named objects are checked first: an unreadable one is a failed row, and the request fails with 400 if none can be read. Objects that an import visible to you has already imported in the same version are skipped unless `force` is true.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        post: operations["importFromS3"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/saved-questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List saved questions
         * @description Lists the saved questions that you may read, oldest first.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        get: operations["listSavedQuestions"];
        put?: never;
        /**
         * Save a question
         * @description Saves a prompt that runs by itself on each new video of a folder, or of the organization: uploads, imports and recordings of livestreams. Events that match its rule are announced by webhooks as `alert.raised`. A prompt of which no part can be searched for is refused.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        post: operations["createSavedQuestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/saved-questions/{saved_question_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a saved question
         * @description Returns a saved question.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        get: operations["getSavedQuestion"];
        put?: never;
        post?: never;
        /**
         * Delete a saved question
         * @description Deletes a saved question with the list of its runs. Its analyses and their events stay.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        delete: operations["deleteSavedQuestion"];
        options?: never;
        head?: never;
        /**
         * Change a saved question
         * @description Changes the settings that the request has: pauses, resumes or snoozes the question, too. Later runs use them; what has run is not repeated.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        patch: operations["changeSavedQuestion"];
        trace?: never;
    };
    "/api/saved-questions/{saved_question_id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a saved question on existing videos
         * @description Starts one batch over the videos of the question that it has not run on, or failed on, the oldest first. Also for a paused question.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        post: operations["runSavedQuestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/saved-questions/{saved_question_id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs of a saved question
         * @description Lists the runs on videos that you may read, newest first, with the number of their alerts.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        get: operations["listSavedQuestionRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a search
         * @description Runs the search of a session. After the response, the session contains the result.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["runSearch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search-sessions/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a search session
         * @description Creates a session for a search among the events of completed analyses of the videos of a folder.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["startSearch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search-sessions/{owner_uid}/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a search and its result
         * @description Returns the session with its matches in videos that you can still access. Sessions are deleted after 30 days.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getSearch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/segmenter-training/external-data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload training data of a segmenter
         * @description Not part of this service: always 501, with a message that states the alternative.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["uploadSegmenterData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/segmenter-training/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Train a segmenter
         * @description Not part of this service: always 501, with a message that states the alternative.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["trainSegmenter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/segmenter-training/jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a training job of a segmenter
         * @description Not part of this service: always 501, with a message that states the alternative.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getSegmenterTraining"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get version, observers and limits
         * @description Returns the version, the engine, the available observers with reasons for missing ones, and all limits.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getSystem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/system/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models
         * @description Lists the models that the engine can use: what each adds, its license and size, whether it is there, and the progress of its download.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        get: operations["listModels"];
        put?: never;
        /**
         * Download a model
         * @description Starts to download a model in the background. Poll the list for its progress. The download continues after interruptions, its SHA-256 is checked, and all nodes use the model as soon as it is complete. Does nothing if the model is there or being downloaded. If there is another model for the same task, only administrators of the first organization of the service may add one.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        post: operations["downloadModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/system/models/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a model
         * @description Removes the files of a model from all nodes. Only for administrators of the first organization of the service.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        delete: operations["removeModel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/system/models/{name}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel the download of a model
         * @description Cancels a running download. A later one continues where it ended.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        post: operations["cancelModelDownload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/system/models/{name}/files/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Provide a file of a model
         * @description Stores a file of a model, for a service without internet access, and uses it at once on all nodes. The published file is accepted from every administrator while there is no model for its task. Another one is tried first, is marked as not verified, and is accepted from administrators of the first organization of the service only.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        put: operations["provideModelFile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/system/queues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List queues
         * @description Counts the background jobs of the whole service by kind: waiting, running and given up, and how long the oldest one waits. Only for administrators of the first organization of the service.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        get: operations["listQueues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/system/workers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workers
         * @description Lists the workers of all nodes with their last heartbeat and what they run. Only for administrators of the first organization of the service.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        get: operations["listWorkers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/update-agent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Train an agent again
         * @description Not part of this service: always 501, with a message that states the alternative.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["updateAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/upload-video": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a video
         * @description Uploads a video as a file or by its URL. A file is stored and readable (`uploaded`) in the response; a URL only if it is fetched within ten seconds, else the response is `processing` and the status endpoint reports the result. A refused upload leaves nothing.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["uploadVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a resumable upload
         * @description Starts an upload by tus 1.0, for any tus client. It survives restarts of the client and of the service. `Location` is the URL for its chunks; its last segment is also the id of the video.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["createResumableUpload"];
        delete?: never;
        /**
         * Get the tus capabilities
         * @description Returns the supported version, extensions, checksum algorithms and largest size of tus 1.0 in headers.
         *
         *     Needs no key.
         */
        options: operations["describeResumableUploads"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/uploads/{upload_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a resumable upload
         * @description Ends an upload and removes its bytes. A completed upload is a video and stays.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        delete: operations["endResumableUpload"];
        options?: never;
        head?: never;
        /**
         * Send a chunk of a resumable upload
         * @description Appends a chunk at the current offset. Bytes received before a disconnect are stored; `HEAD` returns the new offset. After the last chunk the video is created: a file that is not readable is refused here and removed; a large one may still be `processing` in the response.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        patch: operations["continueResumableUpload"];
        trace?: never;
    };
    "/api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the usage of your organization
         * @description Returns the number of videos and of stored or reserved bytes, the use of the vision-language model in the current month, and their limits. Equal files count once; deleted videos count until they are erased.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/video/signed-urls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get several signed URLs at once
         * @description Each request has its own result. One that fails does not fail the others.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["signVideoUrls"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/video/{video_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a video
         * @description Deletes a video with its file and its analyses. It disappears at once for everyone; running analyses of it fail. Until `restorable_until` it can be restored with its analyses; then everything is erased.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        delete: operations["deleteVideo"];
        options?: never;
        head?: never;
        /**
         * Rename, move, tag or describe a video
         * @description Changes the given fields. A video that is moved into a folder of the organization becomes visible to all its members, and cannot be moved back into a personal folder.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        patch: operations["changeVideo"];
        trace?: never;
    };
    "/api/video/{video_id}/analysis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the latest analysis document of a video
         * @description Returns the document of the newest analysis of this video that you may read.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getLatestAnalysis"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/video/{video_id}/metadata-file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Put the metadata file of a video
         * @description Stores data recorded together with a video, as `metadata_file` of `POST /api/upload-video` does, and replaces an earlier file. The body is the file. The video may exist already, or be pending in a resumable upload, a direct upload or an import. Existing analyses stay; later queries read the new file.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        put: operations["putMetadataFile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/video/{video_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted video
         * @description Restores a deleted video with its analyses, into its folder if that still exists and its `retention_days` are not over. Analyses that were running at the deletion have failed: query again.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["restoreVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/video/{video_id}/signed-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a URL that plays a video
         * @description Returns a URL that plays the video, or shows an image of it, without a key until it expires. The URL is valid for one kind of file only. A video that is not ready is answered with 409.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["signVideoUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/video/{video_id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of a video
         * @description Returns the upload status and the properties of a video, and the reason if its upload failed.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getVideoStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/videos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the library
         * @description Lists the videos that you can see and that match all filters, page by page. The cost of a page does not grow with the library, unless few videos match.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["searchVideos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/videos/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete many videos
         * @description Deletes each video as deleting it alone would, and returns a result for each.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["deleteVideos"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/videos/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the videos of the library
         * @description Counts the videos that you can see and that match all filters, by status, source, scope, tag, duration, time and whether they were queried. In a large library only the newest are counted, so that the cost does not grow with it.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["countVideos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/videos/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Caption videos
         * @description Starts time-stamped captions of up to 200 videos: what is in view, from observations, in the words of a vision-language model if there is one. Existing captions are in `results` at once; poll the others with `POST /api/videos/index/status`. A side view of a set gets the captions of the primary view. The captions are the events of an analysis, and are found by searches.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        post: operations["indexVideos"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/videos/index/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve the videos to caption
         * @description Returns the video that would be captioned for each of these videos. Nothing is started.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        post: operations["resolveIndexVideos"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/videos/index/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the captions of videos
         * @description Returns the results of the videos whose captions are completed or have failed.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        post: operations["getIndexStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/videos/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move many videos
         * @description Moves each video into a folder, or out of its own, and returns a result for each.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["moveVideos"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/videos/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore many deleted videos
         * @description Restores each video as restoring it alone would, and returns a result for each.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["restoreVideos"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/videos/{video_id}/analyses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the analyses of a video
         * @description Lists the analyses of this video that you may read, newest first, without their documents.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["listAnalyses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/videos/{video_id}/analyses/{analysis_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an analysis document
         * @description Returns the document with events, answer, coverage and plan. While the analysis runs, its status is `PROCESSING` and it has no events.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getAnalysis"];
        put?: never;
        post?: never;
        /**
         * Delete an analysis
         * @description Deletes your own analysis with its events and evidence images, for good; an admin can delete all of the organization. A running analysis is canceled. Its batch counts one less, and is deleted with its last analysis.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        delete: operations["deleteAnalysis"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/videos/{video_id}/analyses/{analysis_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a missed event
         * @description Adds an event that the analysis missed, with your approval. It is the last event of the document, and counts in the recall of the prompt.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["addEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/videos/{video_id}/analyses/{analysis_id}/generate-thumbnails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the images of an analysis
         * @description Returns the events with the signed URL of an image each. Images are drawn when they are fetched, so this request changes nothing and can be repeated.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["getAnalysisThumbnails"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/videos/{video_id}/analyses/{analysis_id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of an analysis
         * @description Returns the progress of an analysis, and its events once it is completed.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getAnalysisStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/videos/{video_id}/causation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the chains of causation of a video
         * @description Not part of this service: always 501, with a message that states the alternative.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getCausation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/videos/{video_id}/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the captions of a video
         * @description Returns the captions that were made last.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getVideoIndex"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/videos/{video_id}/index.vtt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the captions of a video as WebVTT
         * @description Returns the captions that were made last, for a player.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getVideoIndexVtt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/videos/{video_id}/observations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what was observed in a video over time
         * @description Returns stored observations for a timeline: motion, brightness, cuts, loudness, and the number of objects of each class. Nothing is decoded; fields without values state why. Each field is reduced to at most `points` intervals of equal length with the least and the greatest value (min–max downsampling), so that no peak is lost; with fewer samples than intervals, every value is exact.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getObservations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/videos/{video_id}/telemetry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the telemetry of a video over time
         * @description Returns the measurements of the camera or its vehicle, and its positions. Each field is reduced to at most `points` intervals of equal length with the least and the greatest value (min–max downsampling), so that no peak is lost; with fewer samples than intervals, every value is exact. Of the positions, the first of each interval is returned.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getTelemetry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/videos/{video_id}/tracks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the tracked objects of a video
         * @description Returns the boxes of tracked objects in a range of at most ten minutes, for drawing them over the video. Boxes are fractions of the frame, as in the evidence of events. Nothing is decoded.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getTracks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/videos/{video_id}/trajectory_artifact/{tool}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the trajectory of a manipulator in a video
         * @description Not part of this service: always 404, with a message that states the alternative.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        get: operations["getTrajectory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Lists the webhooks of your organization, oldest first.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Sends messages about events of your organization to a URL, signed by Standard Webhooks. The signing secret is shown only in this response. Messages have whatever happens in the organization, personal videos included.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Returns a webhook, without its secret.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Deletes a webhook with its deliveries; messages that wait are not sent.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description Changes the settings that the request has. Messages that wait are sent to the new URL.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/api/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Lists the deliveries of the last 30 days with the results of their latest attempts, newest first.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhook_id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery
         * @description Returns a delivery with the body of its message.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhook_id}/deliveries/{delivery_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message again
         * @description Sends the message of a delivery again, with the same `webhook-id`, as a new delivery.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        post: operations["resendWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhook_id}/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a webhook
         * @description Sends a message of the type `webhook.ping`, also to a disabled webhook, with one attempt. Read the delivery until its status is not `pending`.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        post: operations["pingWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhook_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook
         * @description Creates a new signing secret, which is shown only in this response. Until the overlap is over, messages have two signatures, one of the previous secret.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/zones": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List zones
         * @description Lists the zones that hold for a video, or those of a folder, by name. State one of the two.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["listZones"];
        put?: never;
        /**
         * Create a zone
         * @description Draws a named polygon or line in the frame of a video, or of all videos of a folder whose camera is fixed. Prompts call it by its name: "a person enters zone door", "how many cars cross line A". Later queries use it; analyses that exist do not change.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["createZone"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/zones/{zone_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a zone
         * @description Returns a zone of a video or folder that you may read.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        get: operations["getZone"];
        put?: never;
        post?: never;
        /**
         * Delete a zone
         * @description Deletes a zone. Analyses that named it keep its points in their plans.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        delete: operations["deleteZone"];
        options?: never;
        head?: never;
        /**
         * Change a zone
         * @description Renames or redraws a zone. Later queries use it; analyses that exist do not change.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder can access that folder.
         */
        patch: operations["changeZone"];
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check liveness
         * @description Responds as long as the process runs, whatever the state of the database and the storage. For liveness probes.
         *
         *     Needs no key.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Use MCP tools
         * @description A server of the Model Context Protocol over streamable HTTP, without sessions: each request is one JSON-RPC message. Its tools call this API with the key of the request.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder can access that folder.
         */
        post: operations["callMcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check readiness
         * @description Checks the database, the storage and the free space on the local disks. If one is not available, the status is 503 and the message names it. For load balancers.
         *
         *     Needs no key.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description A link and the new password.
         * @example {
         *       "token": "q3Yv…",
         *       "password": "correct horse battery staple",
         *       "name": "Ada"
         *     }
         */
        AcceptedLink: {
            /** @description The part of the link after the `#`. */
            token: string;
            /** @description The new password: 12 to 256 characters. */
            password: string;
            /** @description Your name, as other members see it. */
            name?: string | null;
            /** @description Your e-mail address. Only for the link of the first owner; other links have an address. */
            email?: string | null;
        };
        /** @description The query, as older clients send it. Other fields of older clients are accepted and ignored. */
        AgentForm: ({
            /** @description `Lane Change Detection`, `Vehicle Turns`, `Relative Motion Analysis`, `Driving Violations` or `agent_mode_placeholder`: the query, unless `assistant_edge_cases_json` states it. */
            edge_case_category?: string | null;
            /** @description JSON text of a list of cases; their `title`s are the query if the category is unknown. */
            assistant_edge_cases_json?: string | null;
            /** @description Rejected with 501: this service has no trained agents. */
            custom_edge_case_agent_id?: string | null;
        } & {
            [key: string]: unknown;
        }) | null;
        /**
         * @description An analysis document.
         * @example {
         *       "video_id": "019a0b1c2d3e7f008000000000000003",
         *       "analysis_id": "019a0b1c2d3e7f008000000000000011",
         *       "analysis": {
         *         "status": "COMPLETED",
         *         "analysis_id": "019a0b1c2d3e7f008000000000000011",
         *         "batch_id": "019a0b1c2d3e7f008000000000000010",
         *         "query": "the picture gets dark",
         *         "mode": "thinking",
         *         "interpretation": "Understood as: picture gets dark.",
         *         "answer": "The picture gets dark once, from 00:12 to 00:15.",
         *         "summary": "The picture gets dark once, from 00:12 to 00:15.",
         *         "events": [
         *           {
         *             "event_id": "019a0b1c2d3e7f008000000000000011-0",
         *             "type": "light",
         *             "description": "The picture gets dark",
         *             "severity": "medium",
         *             "aiAnalysis": "The mean brightness fell from 118 to 31 of 255 within 0.4 s and stayed below 40.",
         *             "caveats": [],
         *             "approval": "pending",
         *             "start_s": 12.346,
         *             "end_s": 15.015,
         *             "edgeCaseValidated": "true",
         *             "time": "t=12.346",
         *             "end_time": "t=15.015",
         *             "data": {
         *               "start_pts": 1111140,
         *               "end_pts": 1351350,
         *               "time_base": [
         *                 1,
         *                 90000
         *               ],
         *               "confidence": 0.94,
         *               "annotated_thumbnail_url": "http://localhost:8099/api/evidence/019a0b1c2d3e7f008000000000000011/000-0.jpg?token=t1x2y3.signature",
         *               "evidence": {
         *                 "frames": [
         *                   {
         *                     "role": "best",
         *                     "time_s": 12.8,
         *                     "pts": 1152000,
         *                     "boxes": [],
         *                     "url": "http://localhost:8099/api/evidence/019a0b1c2d3e7f008000000000000011/000-0.jpg?token=t1x2y3.signature"
         *                   }
         *                 ],
         *                 "tracks": [],
         *                 "signals": [
         *                   {
         *                     "name": "brightness",
         *                     "value": 31,
         *                     "threshold": 40,
         *                     "unit": "of 255"
         *                   }
         *                 ]
         *               }
         *             }
         *           }
         *         ],
         *         "candidates": [],
         *         "min_confidence": 0.5,
         *         "coverage": [
         *           {
         *             "text": "the picture gets dark",
         *             "status": "looked_for",
         *             "by": [
         *               "signals"
         *             ],
         *             "reason": null,
         *             "findings": 1
         *           }
         *         ],
         *         "plan": null,
         *         "engine_version": "1",
         *         "created_at": "2026-11-21T09:30:00.000Z",
         *         "completed_at": "2026-11-21T09:30:04.210Z"
         *       },
         *       "metadata": {
         *         "filename": "junction.mp4",
         *         "duration_s": 60.06,
         *         "width": 1920,
         *         "height": 1080,
         *         "frame_rate": 29.97,
         *         "size_bytes": 48120331,
         *         "import_source_uri": null,
         *         "created_at": "2026-11-21T09:29:12.000Z"
         *       },
         *       "events": [
         *         {
         *           "event_id": "019a0b1c2d3e7f008000000000000011-0",
         *           "type": "light",
         *           "description": "The picture gets dark",
         *           "severity": "medium",
         *           "aiAnalysis": "The mean brightness fell from 118 to 31 of 255 within 0.4 s and stayed below 40.",
         *           "caveats": [],
         *           "approval": "pending",
         *           "start_s": 12.346,
         *           "end_s": 15.015,
         *           "start_pts": 1111140,
         *           "end_pts": 1351350,
         *           "time_base": [
         *             1,
         *             90000
         *           ],
         *           "category": "light",
         *           "label": "The picture gets dark",
         *           "confidence": 0.94,
         *           "t_start": "00:12",
         *           "t_end": "00:15",
         *           "annotated_thumbnail_url": "http://localhost:8099/api/evidence/019a0b1c2d3e7f008000000000000011/000-0.jpg?token=t1x2y3.signature"
         *         }
         *       ],
         *       "candidates": []
         *     }
         */
        AnalysisDocument: {
            /** @description Identifier of the video. */
            video_id: string;
            /** @description Identifier of the analysis. */
            analysis_id: string;
            /** @description The result of the analysis. */
            analysis: {
                /**
                 * @description `PROCESSING` until the analysis has ended; then `COMPLETED` or `FAILED`.
                 * @enum {string}
                 */
                status: "PROCESSING" | "COMPLETED" | "FAILED";
                /** @description Identifier of the analysis. */
                analysis_id: string;
                /** @description Batch of the analysis; null if it has none. */
                batch_id: string | null;
                /** @description The prompt. */
                query: string;
                /** @description `thinking` or `fast`. */
                mode: string;
                /** @description The answer as text. For prompts that are no question it equals the summary. */
                answer: string;
                /** @description How the prompt was understood, in one sentence: what was understood, and what was not. Missing while the analysis runs. */
                interpretation?: string;
                /** @description Summary of the events, and of the parts of the prompt that could not be searched for. */
                summary: string;
                /** @description Events in the stored form; empty while the analysis runs. */
                events: components["schemas"]["AnalysisEvent"][];
                /** @description Possible events with less than `min_confidence`, in the stored form. They count in no answer, search or stream. Missing in documents of earlier versions. */
                candidates?: components["schemas"]["AnalysisEvent"][];
                /** @description Least confidence of an event in this analysis, 0 to 1. */
                min_confidence?: number;
                /** @description Coverage of each part of the prompt: the observers that searched for it, or the reason why none could. */
                coverage: components["schemas"]["Coverage"][];
                /** @description Sources of the sentences that a vision-language model wrote; absent without them. */
                citations?: {
                    /** @description A sentence of the answer. */
                    sentence: string;
                    /** @description What the sentence rests on. */
                    sources: {
                        /** @description Time in seconds. */
                        time_s: number;
                        /** @description What was seen there, or the label of the event. */
                        text: string;
                        /** @description Event that the sentence rests on; absent for what was only seen. */
                        event_id?: string;
                    }[];
                }[];
                /** @description Use of the vision-language model; absent if none was queried. */
                vision?: {
                    /** @description Name of the model. */
                    model: string;
                    /** @description Number of its answers. */
                    calls: number;
                    /** @description Number of answers from the cache, which take no tokens. */
                    cached_calls: number;
                    /** @description Input tokens, as the endpoint counts them. */
                    input_tokens: number;
                    /** @description Output tokens. */
                    output_tokens: number;
                    /** @description Cost in the currency of the configured prices; 0 without prices. */
                    cost: number;
                    /** @description Ranges of the video of which frames were shown: start and end in seconds. */
                    shown: number[][];
                    /** @description Share of the searched range that they cover, 0 to 1. */
                    shown_share: number;
                };
                /** @description The plan of the analysis, which can be sent with another query; null if there is none. */
                plan: components["schemas"]["Plan"] | null;
                /** @description Version of the engine. The same plan, video and version give the same result. */
                engine_version?: string;
                /**
                 * Format: date-time
                 * @description Creation time, ISO 8601, UTC.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description Time when it ended, ISO 8601, UTC.
                 */
                completed_at?: string;
                /** @description Error code of a failed analysis. */
                error?: string;
                /** @description Error message of a failed analysis. */
                message?: string;
                /** @description Stage of a running analysis. */
                stage?: string;
                /** @description Progress of a running analysis in percent. */
                progress?: number;
            } & {
                [key: string]: unknown;
            };
            /** @description The video at the time of the analysis: `filename`, `duration_s` (seconds), `width` and `height` (pixels), `frame_rate` (frames per second), `size_bytes`, `import_source_uri`, `created_at`; and `visual_analysis`, where older clients read the status. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Events in the readable form. */
            events: components["schemas"]["ReadableEvent"][];
            /** @description Possible events with less than `min_confidence`, in the readable form. */
            candidates?: components["schemas"]["ReadableEvent"][];
        } & {
            [key: string]: unknown;
        };
        /** @description An event in its stored form. */
        AnalysisEvent: {
            /** @description Unique and stable. */
            event_id: string;
            /** @description Kind of event: `object`, `motion`, `light`, `cut`, `sound`, … */
            type: string;
            /** @description Start, as `t=` and seconds from the first frame with three decimals: `t=12.340`. */
            time: string;
            /** @description End, in the same form. */
            end_time: string;
            /** @description Short description of the event. */
            description: string;
            /** @description `low`, `medium` or `high`. */
            severity: string;
            /** @description Reason for the event, with the measurements that support it. */
            aiAnalysis: string;
            /** @description What was not checked, and other reasons to doubt the event. Those that decide what it is lower its confidence. */
            caveats: string[];
            /** @description Review state: `pending` until reviewers have decided, then `approved`, `rejected` or `unsure`. */
            approval: string;
            review?: components["schemas"]["EventReview"];
            /** @description `true`: older clients drop the events of agents without it. */
            edgeCaseValidated: string;
            /** @description Result of showing frames of the event to a vision-language model again; absent if none was queried. */
            verification?: {
                /** @description `verified`, `refuted`, or `unverified` if the model could not tell, contradicted itself or could not be asked. */
                status: string;
                /** @description The vision-language model. */
                by: string;
                /** @description Times of the frames that decided, in seconds. */
                frames_s: number[];
            } & {
                [key: string]: unknown;
            };
            /** @description Start in seconds from the first frame: the presentation time of a frame. */
            start_s: number;
            /** @description End in seconds from the first frame. */
            end_s: number;
            /** @description Values of the fields of `output_schema`; absent if a required field has none. */
            structured_output?: {
                [key: string]: unknown;
            };
            /** @description Label of the schema. */
            structured_output_label?: string;
            /** @description Version of the schema. */
            structured_output_version?: number;
            /** @description Fields without a value. */
            structured_output_errors?: {
                /** @description Name of the field. */
                field: string;
                /** @description Reason why it has no value. */
                message: string;
            }[];
            data: {
                /** @description Confidence of the engine, 0 to 1. */
                confidence: number;
                /** @description Signed URL of the evidence image, a JPEG that is drawn at the first request. It needs no key and is valid for 24 hours. */
                annotated_thumbnail_url?: string;
                /** @description Exact presentation time stamp of the start, in units of `time_base`. */
                start_pts: number;
                /** @description Exact presentation time stamp of the end. */
                end_pts: number;
                /** @description Seconds per time stamp unit: numerator, denominator. */
                time_base: number[];
                /** @description Evidence of the event: `frames` (role, time_s in seconds, pts, boxes in fractions of the frame, url), `tracks` (id, class, color, path as [seconds, x, y]), `signals` (name, value, threshold, unit). */
                evidence: {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A page of the analyses of a video.
         * @example {
         *       "analyses": [
         *         {
         *           "analysis_id": "019a0b1c2d3e7f008000000000000011",
         *           "video_id": "019a0b1c2d3e7f008000000000000003",
         *           "batch_id": "019a0b1c2d3e7f008000000000000010",
         *           "query": "the picture gets dark",
         *           "mode": "thinking",
         *           "min_confidence": 0.5,
         *           "status": "COMPLETED",
         *           "stage": null,
         *           "progress": 100,
         *           "answer": "The picture gets dark at 00:12.",
         *           "event_count": 1,
         *           "problem_code": null,
         *           "problem_message": null,
         *           "created_at": "2026-11-21T09:30:00.000Z",
         *           "completed_at": "2026-11-21T09:30:04.210Z"
         *         }
         *       ],
         *       "has_more": false,
         *       "next_cursor": null
         *     }
         */
        AnalysisList: {
            /** @description Analyses of the video, newest first. */
            analyses: ({
                /** @description Identifier of the analysis. */
                analysis_id: string;
                /** @description Identifier of the video. */
                video_id: string;
                /** @description Batch of the analysis; null if it has none. */
                batch_id: string | null;
                /** @description The prompt. */
                query: string;
                /** @description `thinking` or `fast`. */
                mode: string;
                /** @description Least confidence of an event, 0 to 1. */
                min_confidence: number;
                /** @description `PROCESSING`, `COMPLETED` or `FAILED`. */
                status: string;
                /** @description Current stage; null once the analysis has ended. */
                stage: string | null;
                /** @description Progress in percent. */
                progress: number;
                /** @description The answer as text; null until the analysis is completed. */
                answer: string | null;
                /** @description Number of events. */
                event_count: number;
                /** @description Error code of a failed analysis. */
                problem_code: string | null;
                /** @description Error message of a failed analysis. */
                problem_message: string | null;
                /**
                 * Format: date-time
                 * @description Creation time, ISO 8601, UTC.
                 */
                created_at: string;
                /** @description Time when it ended, ISO 8601, UTC. */
                completed_at: string | null;
            } & {
                [key: string]: unknown;
            })[];
            /** @description True if there are older ones. */
            has_more: boolean;
            /** @description Value of `cursor` for the next page. */
            next_cursor: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Status of an analysis.
         * @example {
         *       "status": "PROCESSING",
         *       "analysis_id": "019a0b1c2d3e7f008000000000000011",
         *       "progress": 42.5,
         *       "video_id": "019a0b1c2d3e7f008000000000000003",
         *       "batch_id": "019a0b1c2d3e7f008000000000000010",
         *       "stage": "observing",
         *       "chunks_completed": 0,
         *       "chunks_total": 1,
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "completed_at": null,
         *       "answer": "",
         *       "events": []
         *     }
         */
        AnalysisStatus: {
            /**
             * @description `PROCESSING` until the analysis has ended; then `COMPLETED` or `FAILED`.
             * @enum {string}
             */
            status: "PROCESSING" | "COMPLETED" | "FAILED";
            /** @description Identifier of the analysis. */
            analysis_id: string;
            /** @description Progress in percent; it never decreases. */
            progress: number;
            /** @description Identifier of the video. */
            video_id: string;
            /** @description Batch of the analysis; null if it has none. */
            batch_id: string | null;
            /** @description `waiting`, `planning`, `observing`, `looking_closer` (fast mode processes every frame of the video or of its most promising ranges), `finding` or `looking` (a vision-language model is queried); null once it has ended. */
            stage: string | null;
            /** @description 1 once it has ended, else 0. */
            chunks_completed: number;
            /** @description Always 1. */
            chunks_total: number;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601, UTC.
             */
            created_at: string;
            /** @description Time when it ended, ISO 8601, UTC. */
            completed_at: string | null;
            /** @description The answer as text; empty until the analysis has ended. */
            answer: string;
            /** @description Error code of a failed analysis. */
            error?: string;
            /** @description Error message of a failed analysis. */
            message?: string;
            /** @description Events; empty until the analysis is completed. */
            events: components["schemas"]["AnalysisEvent"][];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Events of an analysis with the URLs of their images.
         * @example {
         *       "events": [
         *         {
         *           "event_id": "019a0b1c2d3e7f008000000000000011-0",
         *           "type": "light",
         *           "description": "The picture gets dark",
         *           "severity": "medium",
         *           "aiAnalysis": "The mean brightness fell from 118 to 31 of 255 within 0.4 s and stayed below 40.",
         *           "caveats": [],
         *           "approval": "pending",
         *           "start_s": 12.346,
         *           "end_s": 15.015,
         *           "edgeCaseValidated": "true",
         *           "time": "t=12.346",
         *           "end_time": "t=15.015",
         *           "data": {
         *             "start_pts": 1111140,
         *             "end_pts": 1351350,
         *             "time_base": [
         *               1,
         *               90000
         *             ],
         *             "confidence": 0.94,
         *             "annotated_thumbnail_url": "http://localhost:8099/api/evidence/019a0b1c2d3e7f008000000000000011/000-0.jpg?token=t1x2y3.signature",
         *             "evidence": {
         *               "frames": [
         *                 {
         *                   "role": "best",
         *                   "time_s": 12.8,
         *                   "pts": 1152000,
         *                   "boxes": [],
         *                   "url": "http://localhost:8099/api/evidence/019a0b1c2d3e7f008000000000000011/000-0.jpg?token=t1x2y3.signature"
         *                 }
         *               ],
         *               "tracks": [],
         *               "signals": [
         *                 {
         *                   "name": "brightness",
         *                   "value": 31,
         *                   "threshold": 40,
         *                   "unit": "of 255"
         *                 }
         *               ]
         *             }
         *           },
         *           "annotated_thumbnail_url": "http://localhost:8099/api/evidence/019a0b1c2d3e7f008000000000000011/000-0.jpg?token=t1x2y3.signature"
         *         }
         *       ]
         *     }
         */
        AnalysisThumbnails: {
            /** @description Events of the analysis, in order. */
            events: ({
                /** @description URL of the image of its best frame with boxes; empty for an event without an image. */
                annotated_thumbnail_url: string;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A key without its value.
         * @example {
         *       "key_id": "019a0b1c2d3e7f008000000000000002",
         *       "name": "robot",
         *       "prefix": "sk_AbCdE",
         *       "scopes": [
         *         "read",
         *         "write"
         *       ],
         *       "user_id": "019a0b1c2d3e7f008000000000000001",
         *       "email": "owner@localhost",
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "expires_at": "2027-02-19T09:30:00.000Z",
         *       "last_used_at": null,
         *       "revoked_at": null,
         *       "folder_id": null,
         *       "status": "active"
         *     }
         */
        ApiKey: {
            /** @description Identifier of the key. */
            key_id: string;
            /** @description Name of the key. */
            name: string;
            /** @description The first 8 characters of the key. */
            prefix: string;
            /** @description Scopes of the key. */
            scopes: ("read" | "write" | "admin")[];
            /** @description Owner of the key. */
            user_id: string;
            /** @description The user's e-mail address. */
            email: string;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601, UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Expiry, ISO 8601, UTC.
             */
            expires_at: string;
            /** @description Time of the last use, to the minute; null: never used. */
            last_used_at: string | null;
            /** @description Time of the revocation of the key, or of the removal of its owner; null: not revoked. */
            revoked_at: string | null;
            /** @description The only folder the key can access; null: all folders. After the deletion of the folder the key can access nothing. */
            folder_id: string | null;
            /**
             * @description `inactive`: expired or revoked.
             * @enum {string}
             */
            status: "active" | "inactive";
        };
        /**
         * @description A page of keys.
         * @example {
         *       "keys": [
         *         {
         *           "key_id": "019a0b1c2d3e7f008000000000000002",
         *           "name": "robot",
         *           "prefix": "sk_AbCdE",
         *           "scopes": [
         *             "read",
         *             "write"
         *           ],
         *           "user_id": "019a0b1c2d3e7f008000000000000001",
         *           "email": "owner@localhost",
         *           "created_at": "2026-11-21T09:30:00.000Z",
         *           "expires_at": "2027-02-19T09:30:00.000Z",
         *           "last_used_at": null,
         *           "revoked_at": null,
         *           "folder_id": null,
         *           "status": "active"
         *         }
         *       ],
         *       "has_more": false,
         *       "next_cursor": null
         *     }
         */
        ApiKeyList: {
            /** @description Keys, newest first. */
            keys: components["schemas"]["ApiKey"][];
            /** @description True if more keys follow. */
            has_more: boolean;
            /** @description Value of `cursor` for the next page. */
            next_cursor: string | null;
        };
        /**
         * @description Result of an assignment.
         * @example {
         *       "event_ids": [
         *         "019a0b1c2d3e7f008000000000000011-0"
         *       ],
         *       "assigned_until": "2026-11-21T09:50:00.000Z"
         *     }
         */
        AssignedEvents: {
            /** @description Events of the request that were changed: those that nobody else works on. */
            event_ids: string[];
            /** @description End of the assignment, ISO 8601, UTC; null: released. */
            assigned_until: string | null;
        };
        /**
         * @description Events to assign for a time, so that two people do not review the same ones.
         * @example {
         *       "event_ids": [
         *         "019a0b1c2d3e7f008000000000000011-0"
         *       ],
         *       "seconds": 600
         *     }
         */
        AssignmentRequest: {
            /** @description Identifiers of the events, at most 500. */
            event_ids: string[];
            /** @description Member who reviews the events. Default: you. */
            user_id?: string | null;
            /** @description Time until the assignment ends by itself, in seconds; default: 600. */
            seconds?: number;
        };
        /**
         * @description An entry of the audit log.
         * @example {
         *       "event_id": "019a0b1c2d3e7f008000000000000004",
         *       "at": "2026-11-21T09:30:00.000Z",
         *       "action": "key.created",
         *       "user_id": "019a0b1c2d3e7f008000000000000001",
         *       "email": "owner@localhost",
         *       "key_id": "019a0b1c2d3e7f008000000000000002",
         *       "session_id": null,
         *       "address": "192.0.2.7",
         *       "user_agent": "curl/8.14.1",
         *       "subject_id": "019a0b1c2d3e7f008000000000000005",
         *       "detail": {
         *         "name": "robot",
         *         "scopes": [
         *           "read",
         *           "write"
         *         ]
         *       }
         *     }
         */
        AuditEvent: {
            /** @description Identifier of the entry. */
            event_id: string;
            /**
             * Format: date-time
             * @description Time of the action, ISO 8601, UTC.
             */
            at: string;
            /** @description The action, one of `key.created`, `key.revoked`, `session.created`, `session.ended`, `session.refused`, `password.changed`, `password.set`, `password_link.created`, `invitation.created`, `invitation.revoked`, `member.joined`, `member.role_changed`, `member.removed`, `organization.renamed`, `sso.linked`, `integration.created`, `integration.changed`, `integration.tested`, `integration.deleted`, `import_sync.created`, `import_sync.run`, `import_sync.deleted`, `model.download_started`, `model.download_canceled`, `model.provided`, `model.removed`, `analysis.deleted`, `event.reviewed`, `event.added`, `review.undone`, `review.required`, `quota.changed`, `saved_question.created`, `saved_question.changed`, `saved_question.run`, `saved_question.deleted`, `zone.created`, `zone.changed`, `zone.deleted`, `webhook.created`, `webhook.changed`, `webhook.secret_rotated`, `webhook.deleted`, `webhook.disabled`. Later versions may add others. */
            action: string;
            /** @description The acting user; null: the operator, on the command line or at start, or a rejected sign-in. */
            user_id: string | null;
            /** @description E-mail address of that user. */
            email: string | null;
            /** @description Key of the request. */
            key_id: string | null;
            /** @description Session of the request. */
            session_id: string | null;
            /** @description IP address of the client. */
            address: string | null;
            /** @description User agent of the client. */
            user_agent: string | null;
            /** @description Identifier of the changed object: a key, session, user, invitation, integration, scheduled import or organization, or the name of a model. For reviews: an event or, for several ones, their action. For `session.refused`, the user whose password was wrong. */
            subject_id: string;
            /** @description Details of the change. */
            detail: {
                [key: string]: unknown;
            };
        };
        /**
         * @description A page of the audit log.
         * @example {
         *       "events": [
         *         {
         *           "event_id": "019a0b1c2d3e7f008000000000000004",
         *           "at": "2026-11-21T09:30:00.000Z",
         *           "action": "key.created",
         *           "user_id": "019a0b1c2d3e7f008000000000000001",
         *           "email": "owner@localhost",
         *           "key_id": "019a0b1c2d3e7f008000000000000002",
         *           "session_id": null,
         *           "address": "192.0.2.7",
         *           "user_agent": "curl/8.14.1",
         *           "subject_id": "019a0b1c2d3e7f008000000000000005",
         *           "detail": {
         *             "name": "robot",
         *             "scopes": [
         *               "read",
         *               "write"
         *             ]
         *           }
         *         }
         *       ],
         *       "has_more": false,
         *       "next_cursor": null
         *     }
         */
        AuditEventList: {
            /** @description Entries, newest first. */
            events: components["schemas"]["AuditEvent"][];
            /** @description True if more entries follow. */
            has_more: boolean;
            /** @description Value of `cursor` for the next page. */
            next_cursor: string | null;
        };
        /**
         * @description State of a batch.
         * @example {
         *       "batch_id": "019a0b1c2d3e7f008000000000000010",
         *       "status": "processing",
         *       "aggregated_progress": {
         *         "total": 1,
         *         "completed": 0,
         *         "failed": 0
         *       },
         *       "event_count": 0,
         *       "videos": [
         *         {
         *           "video_id": "019a0b1c2d3e7f008000000000000003",
         *           "analysis_id": "019a0b1c2d3e7f008000000000000011",
         *           "status": "processing",
         *           "progress": 42.5,
         *           "stage": "observing",
         *           "last_error": null
         *         }
         *       ],
         *       "config": {
         *         "prompt": "a person walks past a parked car",
         *         "mode": "thinking"
         *       },
         *       "query": "a person walks past a parked car",
         *       "mode": "thinking",
         *       "stream_id": "019a0b1c2d3e7f008000000000000012",
         *       "metadata": {},
         *       "review_status": null,
         *       "review_status_updated_at": null,
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "completed_at": null
         *     }
         */
        Batch: {
            /** @description Identifier of the batch. */
            batch_id: string;
            /** @description `processing`; then `completed` if any analysis succeeded, else `failed`; or `cancelled`. */
            status: string;
            aggregated_progress: {
                /** @description Number of analyses. */
                total: number;
                /** @description Number of ended analyses, failed ones included. Their documents are readable. */
                completed: number;
                /** @description Number of failed analyses. */
                failed: number;
            };
            /** @description Number of events of its analyses; at most 10,000 are counted. */
            event_count: number;
            /** @description Videos in the order of the request. */
            videos: ({
                /** @description Identifier of the video. */
                video_id: string;
                /** @description Identifier of its analysis. */
                analysis_id: string;
                /** @description `processing`, `completed` or `failed`. */
                status: string;
                /** @description Progress in percent, 0 to 100. */
                progress: number;
                /** @description Current stage; null once the analysis has ended. */
                stage: string | null;
                /** @description Reason of a failure, as a sentence. */
                last_error: string | null;
            } & {
                [key: string]: unknown;
            })[];
            /** @description The query: `prompt`, `mode`, `analysis_kind`, and fields that older clients read. */
            config: {
                [key: string]: unknown;
            };
            /** @description The prompt. */
            query: string;
            /** @description `thinking` or `fast`. */
            mode: string;
            /** @description Stream of its events. */
            stream_id: string;
            /** @description Metadata that users added. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Always null: batches are not reviewed. */
            review_status: string | null;
            /** @description Always null. */
            review_status_updated_at: string | null;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601, UTC.
             */
            created_at: string;
            /** @description End of the last analysis, ISO 8601, UTC. */
            completed_at: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Documents of a batch.
         * @example {
         *       "analyses": [
         *         {
         *           "video_id": "019a0b1c2d3e7f008000000000000003",
         *           "analysis_id": "019a0b1c2d3e7f008000000000000011",
         *           "analysis": {
         *             "status": "COMPLETED",
         *             "answer": "A person walks past a parked car at 00:12.",
         *             "events": []
         *           },
         *           "metadata": {
         *             "filename": "junction.mp4",
         *             "duration_s": 60.06
         *           },
         *           "events": []
         *         }
         *       ],
         *       "unresolved_video_ids": [],
         *       "not_found_analysis_ids": []
         *     }
         */
        BatchDocuments: {
            /** @description Documents in the batch's order. */
            analyses: {
                [key: string]: unknown;
            }[];
            /** @description Videos that are not in this batch. */
            unresolved_video_ids: string[];
            /** @description Analyses without a document: still running, or their video was deleted. */
            not_found_analysis_ids: string[];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Videos whose documents to return.
         * @example {
         *       "video_ids": [
         *         "019a0b1c2d3e7f008000000000000003"
         *       ]
         *     }
         */
        BatchDocumentsRequest: {
            /** @description Videos of the batch, at most 500; duplicates count once. */
            video_ids: string[];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Events to return.
         * @example {
         *       "filter": [
         *         "pending"
         *       ]
         *     }
         */
        BatchFilter: {
            /** @description Review states of the events to return; null: all. `invalid` is accepted from older clients and matches nothing. */
            filter?: ("approved" | "rejected" | "unsure" | "pending" | "invalid")[] | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A query for videos, as older clients send it. Other fields of older clients are accepted and ignored.
         * @example {
         *       "video_ids": [
         *         "019a0b1c2d3e7f008000000000000003"
         *       ],
         *       "analysis_kind": "rapid_review",
         *       "prompt": "a person walks past a parked car"
         *     }
         */
        BatchForm: {
            /** @description Videos to analyze; in a form, repeat the field for each video. At most 1,000. */
            video_ids: string | string[];
            /** @description `rapid_review` (default): the query is `prompt`; `edge_agent`: the query is that of `edge_case_category`. */
            analysis_kind?: string | null;
            /** @description The query, in plain words. */
            prompt?: string | null;
            /** @description JSON text of the fields to fill: `output_schema` of a query. */
            output_schema_json?: string | null;
            /** @description Stored in the `config` of the batch; does not affect the query. */
            category?: string | null;
            /** @description Your own identifier of the batch; a repeat with the same value returns the same batch. */
            client_batch_id?: string | null;
            /** @description Rejected with 501: this service has no trained agents. */
            custom_agent_id?: string | null;
            /** @description Rejected with 501: this service has no workflows. */
            custom_workflow_name?: string | null;
            /** @description `Lane Change Detection`, `Vehicle Turns`, `Relative Motion Analysis`, `Driving Violations` or `agent_mode_placeholder`: the query, unless `assistant_edge_cases_json` states it. */
            edge_case_category?: string | null;
            /** @description JSON text of a list of cases; their `title`s are the query if the category is unknown. */
            assistant_edge_cases_json?: string | null;
            /** @description Rejected with 501: this service has no trained agents. */
            custom_edge_case_agent_id?: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A page of batches.
         * @example {
         *       "batches": [
         *         {
         *           "batch_id": "019a0b1c2d3e7f008000000000000010",
         *           "status": "completed",
         *           "aggregated_progress": {
         *             "total": 1,
         *             "completed": 1,
         *             "failed": 0
         *           },
         *           "event_count": 3,
         *           "videos": [],
         *           "config": {
         *             "prompt": "a person walks past a parked car",
         *             "mode": "thinking"
         *           },
         *           "query": "a person walks past a parked car",
         *           "mode": "thinking",
         *           "stream_id": "019a0b1c2d3e7f008000000000000012",
         *           "metadata": {},
         *           "review_status": null,
         *           "review_status_updated_at": null,
         *           "created_at": "2026-11-21T09:30:00.000Z",
         *           "completed_at": "2026-11-21T09:31:10.000Z"
         *         }
         *       ],
         *       "has_more": false,
         *       "next_cursor": null
         *     }
         */
        BatchList: {
            /** @description Batches, newest first; their `videos` are empty. */
            batches: components["schemas"]["Batch"][];
            /** @description True if there are older ones. */
            has_more: boolean;
            /** @description Value of `cursor` for the next page. */
            next_cursor: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Metadata of a batch.
         * @example {
         *       "success": true,
         *       "batch_id": "019a0b1c2d3e7f008000000000000010",
         *       "metadata": {
         *         "experiment": "night-drives",
         *         "round": 2
         *       }
         *     }
         */
        BatchMetadata: {
            /** @description Always true. */
            success: boolean;
            /** @description Identifier of the batch. */
            batch_id: string;
            /** @description All metadata of the batch. */
            metadata: {
                [key: string]: string | number;
            };
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Metadata to merge into a batch.
         * @example {
         *       "metadata": "{\"experiment\": \"night-drives\", \"round\": 2}"
         *     }
         */
        BatchMetadataChanges: {
            /** @description JSON text of a flat object whose values are strings or integers; at most 100 names in total. Existing names are replaced. */
            metadata: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Results of a batch.
         * @example {
         *       "batch_metadata": {
         *         "batch_id": "019a0b1c2d3e7f008000000000000010",
         *         "status": "completed",
         *         "prompt": "a person walks past a parked car",
         *         "created_at": "2026-11-21T09:30:00.000Z"
         *       },
         *       "results": [
         *         {
         *           "video_id": "019a0b1c2d3e7f008000000000000003",
         *           "analysis_id": "019a0b1c2d3e7f008000000000000011",
         *           "status": "completed",
         *           "analysis": {
         *             "status": "COMPLETED",
         *             "answer": "A person walks past a parked car at 00:12.",
         *             "events": []
         *           }
         *         }
         *       ]
         *     }
         */
        BatchResults: {
            /** @description The batch, with the metadata that users added as `metadata`. */
            batch_metadata: {
                /** @description Identifier of the batch. */
                batch_id: string;
                /** @description Status of the batch. */
                status: string;
                /** @description The prompt. */
                prompt: string;
                /**
                 * Format: date-time
                 * @description Creation time, ISO 8601, UTC.
                 */
                created_at: string;
            } & {
                [key: string]: unknown;
            };
            /** @description One result per analysis. */
            results: ({
                /** @description Identifier of the video. */
                video_id: string;
                /** @description Identifier of its analysis. */
                analysis_id: string;
                /** @description `processing`, `completed` or `failed`. */
                status: string;
                /** @description Result of the analysis. */
                analysis: {
                    /** @description The same status in capitals. */
                    status: string;
                    /** @description Events in their stored form, without their evidence. */
                    events: {
                        [key: string]: unknown;
                    }[];
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description One verdict on several events.
         * @example {
         *       "event_ids": [
         *         "019a0b1c2d3e7f008000000000000011-0"
         *       ],
         *       "approval": "approved"
         *     }
         */
        BulkReviewRequest: {
            /** @description Identifiers of the events, at most 500. */
            event_ids: string[];
            /**
             * @description Your verdict on the event; it replaces your earlier one. `pending` withdraws it.
             * @enum {string}
             */
            approval?: "approved" | "rejected" | "unsure" | "pending";
            /** @description Reason of the verdict, such as `wrong thing`. */
            reason?: string | null;
            /** @description Short description of the event. */
            label?: string;
            /**
             * @description Severity of the event.
             * @enum {string}
             */
            severity?: "low" | "medium" | "high";
            /** @description Note of the reviewers; null removes it. */
            note?: string | null;
        };
        /**
         * @description Roles and labels of channels. All fields and the body itself are optional.
         * @example {
         *       "front_channel": "/camera/front",
         *       "channel_roles": {
         *         "/camera/1": "rear"
         *       },
         *       "channel_labels": {}
         *     }
         */
        ChannelRoles: {
            /** @description Channel of the front view, which is the primary one. */
            front_channel?: string | null;
            /** @description Roles by channel name: `front`, `rear`, `left`, `right`, `top`, `bottom` or your own; each at most once. Other channels get roles that their topics suggest. */
            channel_roles?: {
                [key: string]: string;
            } | null;
            /** @description Display labels by channel name. Omitted channels keep their labels; an empty label removes one. */
            channel_labels?: {
                [key: string]: string;
            } | null;
        };
        /**
         * @description The search is completed.
         * @example {
         *       "status": "completed"
         *     }
         */
        CompletedSearch: {
            /** @description Always `completed`. */
            status: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Coverage of one part of the prompt. */
        Coverage: {
            /** @description The part of the prompt. */
            text: string;
            /** @description `looked_for`, `partly` or `not_looked_for`. */
            status: string;
            /** @description Observers that searched for it. */
            by: string[];
            /** @description Reason why it was not searched for, or limits of the search. */
            reason: string | null;
            /** @description Number of events that were found for it. */
            findings: number;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description The new key.
         * @example {
         *       "key": "sk_AbCdExxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
         *       "key_id": "019a0b1c2d3e7f008000000000000002",
         *       "name": "robot",
         *       "prefix": "sk_AbCdE",
         *       "scopes": [
         *         "read",
         *         "write"
         *       ],
         *       "user_id": "019a0b1c2d3e7f008000000000000001",
         *       "email": "owner@localhost",
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "expires_at": "2027-02-19T09:30:00.000Z",
         *       "last_used_at": null,
         *       "revoked_at": null,
         *       "folder_id": null,
         *       "status": "active"
         *     }
         */
        CreatedApiKey: {
            /** @description The value of the key, which is shown only once. */
            key: string;
            /** @description Identifier of the key. */
            key_id: string;
            /** @description Name of the key. */
            name: string;
            /** @description The first 8 characters of the key. */
            prefix: string;
            /** @description Scopes of the key. */
            scopes: ("read" | "write" | "admin")[];
            /** @description Owner of the key. */
            user_id: string;
            /** @description The user's e-mail address. */
            email: string;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601, UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Expiry, ISO 8601, UTC.
             */
            expires_at: string;
            /** @description Time of the last use, to the minute; null: never used. */
            last_used_at: string | null;
            /** @description Time of the revocation of the key, or of the removal of its owner; null: not revoked. */
            revoked_at: string | null;
            /** @description The only folder the key can access; null: all folders. After the deletion of the folder the key can access nothing. */
            folder_id: string | null;
            /**
             * @description `inactive`: expired or revoked.
             * @enum {string}
             */
            status: "active" | "inactive";
        };
        /**
         * @description The new batch.
         * @example {
         *       "batch_id": "019a0b1c2d3e7f008000000000000010",
         *       "status": "processing"
         *     }
         */
        CreatedBatch: {
            /** @description Identifier of the batch; its status is at `/api/batch/{batch_id}/status`. */
            batch_id: string;
            /** @description Status of the batch. */
            status: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description The new invitation.
         * @example {
         *       "url": "https://sightline.example.com/welcome?invitation#q3Yv…",
         *       "invitation_id": "019a0b1c2d3e7f008000000000000008",
         *       "email": "grace@example.com",
         *       "role": "member",
         *       "invited_by": "019a0b1c2d3e7f008000000000000001",
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "expires_at": "2026-11-28T09:30:00.000Z"
         *     }
         */
        CreatedInvitation: {
            /** @description The link to send. It is shown only once and works once. */
            url: string;
            /** @description Identifier of the invitation. */
            invitation_id: string;
            /** @description E-mail address of the invited person. */
            email: string;
            /**
             * @description `member`: reads and writes; `admin`: also manages keys and members; `owner`: also manages owners and admins.
             * @enum {string}
             */
            role: "owner" | "admin" | "member";
            /** @description The user who created the invitation; null: the operator. */
            invited_by: string | null;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601, UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Expiry of the link, ISO 8601, UTC.
             */
            expires_at: string;
        };
        /**
         * @description An ingest whose file is to be uploaded.
         * @example {
         *       "mcap_ingest_id": "019a0b1c2d3e7f008000000000000060",
         *       "upload_url": "http://localhost:8099/api/mcap/019a0b1c2d3e7f008000000000000060/file?token=t1x2y3.signature",
         *       "upload_headers": {
         *         "Content-Type": "application/octet-stream"
         *       },
         *       "source_uri": "mcap://019a0b1c2d3e7f008000000000000060/drive.mcap",
         *       "status": "created"
         *     }
         */
        CreatedMcapIngest: {
            /** @description Identifier of the ingest. */
            mcap_ingest_id: string;
            /** @description URL to PUT the whole file to, in one request. It needs no key and is valid for a day. */
            upload_url: string;
            /** @description Headers to send with the PUT. */
            upload_headers: {
                [key: string]: string;
            };
            /** @description URI of the recording, which is the source of its videos. */
            source_uri: string;
            /** @description Always `created`. */
            status: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Address and password of a user.
         * @example {
         *       "email": "ada@example.com",
         *       "password": "correct horse battery staple"
         *     }
         */
        Credentials: {
            /** @description E-mail address. */
            email: string;
            /** @description The password. */
            password: string;
        };
        /**
         * @description A curated dataset.
         * @example {
         *       "id": "019a0b1c2d3e7f008000000000000051",
         *       "name": "Night crossings",
         *       "search_description": "",
         *       "status": "ready",
         *       "scope": "user",
         *       "analysis_type": "ask",
         *       "batch_ids": [
         *         "019a0b1c2d3e7f008000000000000010"
         *       ],
         *       "video_ids": [],
         *       "totals": {
         *         "batch_count": 1,
         *         "video_count": 40,
         *         "event_counts": {
         *           "total": 148,
         *           "approved": 90,
         *           "rejected": 12,
         *           "unsure": 3,
         *           "pending": 43
         *         }
         *       },
         *       "failed_batches": [],
         *       "processing_progress": {
         *         "completed": 1,
         *         "total": 1
         *       },
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "updated_at": "2026-11-21T09:30:00.000Z"
         *     }
         */
        Dataset: {
            /** @description Identifier of the dataset. */
            id: string;
            /** @description Name of the dataset. */
            name: string;
            /** @description What the dataset is for. */
            search_description: string;
            /** @description `processing`: a batch has not ended; `ready`: it can be downloaded; `error`: a batch was deleted, and the rest can be downloaded. */
            status: string;
            /** @description `user`: personal; `org`: shared with the organization. */
            scope: string;
            /** @description A label of existing clients: `ask`, `agent` or `unanalyzed`. */
            analysis_type: string;
            /** @description Batches in the order in which they were added. */
            batch_ids: string[];
            /** @description Videos without analyses. */
            video_ids: string[];
            /** @description What the dataset has now. */
            totals: {
                /** @description Number of batches that exist. */
                batch_count: number;
                /** @description Number of videos; one in two batches counts twice, as in the download. */
                video_count: number;
                /** @description Events by review state. */
                event_counts: {
                    /** @description Number of events. */
                    total: number;
                    /** @description Events that reviewers approved. */
                    approved: number;
                    /** @description Events that reviewers rejected. */
                    rejected: number;
                    /** @description Events of which reviewers were not sure. */
                    unsure: number;
                    /** @description Events without a decision. */
                    pending: number;
                };
            };
            /** @description Batches that cannot be read. */
            failed_batches: {
                /** @description Identifier of the batch. */
                batch_id: string;
                /** @description Reason in a sentence. */
                error: string;
            }[];
            /** @description Progress of its batches. */
            processing_progress: {
                /** @description Batches that have ended. */
                completed: number;
                /** @description All batches. */
                total: number;
            };
            /**
             * Format: date-time
             * @description Creation time, ISO 8601, UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change of the dataset itself, ISO 8601, UTC.
             */
            updated_at: string;
        };
        /**
         * @description Changes of a dataset; what is omitted stays as it is.
         * @example {
         *       "name": "Night crossings, spring"
         *     }
         */
        DatasetChange: {
            /** @description Name of the dataset. */
            name?: string | null;
            /** @description What the dataset is for, in your own words. */
            search_description?: string | null;
            /** @description Batches to add. */
            add_batch_ids?: string[] | null;
            /** @description Batches to remove; others are ignored. */
            remove_batch_ids?: string[] | null;
            /** @description Videos to add. */
            add_video_ids?: string[] | null;
            /** @description Videos to remove; others are ignored. */
            remove_video_ids?: string[] | null;
            /** @description Accepted from existing clients: counts and downloads are always current. */
            refresh?: boolean | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Where to download a dataset.
         * @example {
         *       "download_url": "http://localhost:8099/api/data-curation/datasets/019a0b1c2d3e7f008000000000000051/file?token=t1x2y3.signature"
         *     }
         */
        DatasetDownload: {
            /** @description Signed URL, valid for a day without a key; null while a batch of the dataset is processed. */
            download_url: string | null;
        };
        /**
         * @description An export of a selection of videos and events, with one MCAP file for each video.
         * @example {
         *       "export_id": "019a0b1c2d3e7f008000000000000061",
         *       "dataset_id": null,
         *       "status": "completed",
         *       "progress": {
         *         "built": 1,
         *         "sessions_total": 1
         *       },
         *       "event_count": 12,
         *       "gaps": [],
         *       "error": null,
         *       "manifest_url": "http://localhost:8099/api/exports/dataset/019a0b1c2d3e7f008000000000000061/manifest?token=t1x2y3.signature",
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "completed_at": "2026-11-21T09:30:01.000Z",
         *       "expires_at": "2026-11-28T09:30:00.000Z"
         *     }
         */
        DatasetExport: {
            /** @description Identifier of the export. */
            export_id: string;
            /** @description Dataset that the events were selected in. */
            dataset_id: string | null;
            /** @description `queued`, `building`, `completed`, `completed_with_gaps` (something could not be included, see `gaps`) or `failed`. */
            status: string;
            /** @description Progress. */
            progress: {
                /** @description Videos that are done. */
                built: number;
                /** @description All videos. */
                sessions_total: number;
            };
            /** @description Number of exported events; 0 until it is completed. */
            event_count: number;
            /** @description What could not be included. */
            gaps: {
                /** @description The video; null for an event. */
                video_id: string | null;
                /** @description The event; null for a video. */
                event_id: string | null;
                /** @description Reason in a sentence. */
                reason: string;
            }[];
            /** @description Reason of the failure in a sentence; null without one. */
            error: string | null;
            /** @description Signed URL of the list of files, valid for a day without a key; null until it is completed. */
            manifest_url: string | null;
            /**
             * Format: date-time
             * @description Time of the request, ISO 8601, UTC.
             */
            created_at: string;
            /** @description Time when the files were written, ISO 8601, UTC. */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description Time when the export is deleted, ISO 8601, UTC.
             */
            expires_at: string;
        };
        /**
         * @description The files of an export.
         * @example {
         *       "export_id": "019a0b1c2d3e7f008000000000000061",
         *       "dataset_id": null,
         *       "status": "completed",
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "files": [
         *         {
         *           "path": "sessions/019a0b1c2d3e7f008000000000000003/019a0b1c2d3e7f008000000000000003.annotations.mcap",
         *           "role": "annotations",
         *           "url": "http://localhost:8099/api/exports/dataset/019a0b1c2d3e7f008000000000000061/files/019a0b1c2d3e7f008000000000000003?token=t1x2y3.signature",
         *           "bytes": 5120,
         *           "sha256": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
         *         }
         *       ],
         *       "gaps": []
         *     }
         */
        DatasetExportManifest: {
            /** @description Identifier of the export. */
            export_id: string;
            /** @description Dataset that the events were selected in. */
            dataset_id: string | null;
            /** @description `completed` or `completed_with_gaps`. */
            status: string;
            /**
             * Format: date-time
             * @description Time of the request, ISO 8601, UTC.
             */
            created_at: string;
            /** @description All files. */
            files: {
                /** @description Relative path, with `/`. */
                path: string;
                /** @description `annotations`: the events as MCAP; `source`: the video. */
                role: string;
                /** @description Signed URL, valid for a day without a key. */
                url: string;
                /** @description Size of the file; null if unknown. */
                bytes: number | null;
                /** @description SHA-256 of the file, hexadecimal; null if unknown. */
                sha256: string | null;
            }[];
            /** @description What could not be included. */
            gaps: {
                /** @description The video; null for an event. */
                video_id: string | null;
                /** @description The event; null for a video. */
                event_id: string | null;
                /** @description Reason in a sentence. */
                reason: string;
            }[];
        };
        /**
         * @description Videos and events to export.
         * @example {
         *       "video_ids": [
         *         "019a0b1c2d3e7f008000000000000003"
         *       ],
         *       "event_ids": [
         *         "019a0b1c2d3e7f008000000000000011-0"
         *       ]
         *     }
         */
        DatasetExportRequest: {
            /** @description Videos that you may read. */
            video_ids: string[];
            /** @description Events of these videos; empty: all events of these videos. */
            event_ids?: string[] | null;
            /** @description Dataset that the events were selected in. */
            dataset_id?: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A dataset with its results.
         * @example {
         *       "dataset_metadata": {
         *         "id": "019a0b1c2d3e7f008000000000000051",
         *         "name": "Night crossings",
         *         "search_description": "",
         *         "status": "ready",
         *         "scope": "user",
         *         "analysis_type": "ask",
         *         "batch_ids": [
         *           "019a0b1c2d3e7f008000000000000010"
         *         ],
         *         "video_ids": [],
         *         "totals": {
         *           "batch_count": 1,
         *           "video_count": 40,
         *           "event_counts": {
         *             "total": 148,
         *             "approved": 90,
         *             "rejected": 12,
         *             "unsure": 3,
         *             "pending": 43
         *           }
         *         },
         *         "failed_batches": [],
         *         "processing_progress": {
         *           "completed": 1,
         *           "total": 1
         *         },
         *         "created_at": "2026-11-21T09:30:00.000Z",
         *         "updated_at": "2026-11-21T09:30:00.000Z"
         *       },
         *       "batches": [
         *         {
         *           "batch_metadata": {
         *             "batch_id": "019a0b1c2d3e7f008000000000000010",
         *             "prompt": "a person walks past a parked car"
         *           },
         *           "results": [
         *             {
         *               "video_id": "019a0b1c2d3e7f008000000000000003",
         *               "video_name": "junction.mp4",
         *               "analysis_id": "019a0b1c2d3e7f008000000000000011",
         *               "status": "completed",
         *               "answer": "A person walks past a parked car at 00:12.",
         *               "events": []
         *             }
         *           ]
         *         }
         *       ],
         *       "unanalyzed_videos": [
         *         {
         *           "folder_name": "Drives",
         *           "videos": [
         *             {
         *               "video_id": "019a0b1c2d3e7f008000000000000003",
         *               "filename": "junction.mp4"
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        DatasetFile: {
            dataset_metadata: components["schemas"]["Dataset"];
            /** @description How the videos are split; only if it was requested. */
            splits?: {
                /** @description Share of the videos in the split `val`, 0 to 1. */
                val_share: number;
                /** @description Share of the videos in the split `test`, 0 to 1. */
                test_share: number;
                /** @description Another seed draws other splits. */
                seed: string;
            };
            /** @description Batches that exist. */
            batches: {
                /** @description The batch, with its `output_schema` if it has one. */
                batch_metadata: {
                    [key: string]: unknown;
                };
                /** @description One result per analysis; those of deleted videos are left out. */
                results: {
                    [key: string]: unknown;
                }[];
            }[];
            /** @description Videos without analyses, by folder. */
            unanalyzed_videos: {
                /** @description Folder of the videos; null without one. */
                folder_name: string | null;
                /** @description Videos of the folder. */
                videos: {
                    /** @description Identifier of the video. */
                    video_id: string;
                    /** @description Name of the video. */
                    filename: string;
                    /** @description `train`, `val` or `test`; only if splits were requested. */
                    split?: string;
                }[];
            }[];
        };
        /**
         * @description Datasets, newest first.
         * @example [
         *       {
         *         "id": "019a0b1c2d3e7f008000000000000051",
         *         "name": "Night crossings",
         *         "search_description": "",
         *         "status": "ready",
         *         "scope": "user",
         *         "analysis_type": "ask",
         *         "batch_ids": [
         *           "019a0b1c2d3e7f008000000000000010"
         *         ],
         *         "video_ids": [],
         *         "totals": {
         *           "batch_count": 1,
         *           "video_count": 40,
         *           "event_counts": {
         *             "total": 148,
         *             "approved": 90,
         *             "rejected": 12,
         *             "unsure": 3,
         *             "pending": 43
         *           }
         *         },
         *         "failed_batches": [],
         *         "processing_progress": {
         *           "completed": 1,
         *           "total": 1
         *         },
         *         "created_at": "2026-11-21T09:30:00.000Z",
         *         "updated_at": "2026-11-21T09:30:00.000Z"
         *       }
         *     ]
         */
        DatasetList: components["schemas"]["Dataset"][];
        /**
         * @description Datasets to list.
         * @example {
         *       "scope": "user"
         *     }
         */
        DatasetListRequest: {
            /** @description `user` (default): datasets that you created; `org`: those that are shared in the organization. */
            scope?: ("user" | "org") | null;
            /** @description Maximum number of datasets; default: 100. */
            limit?: number | null;
            /** @description Id of the last dataset of the previous page; only older ones follow. */
            before?: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A dataset to create.
         * @example {
         *       "name": "Night crossings",
         *       "batch_ids": [
         *         "019a0b1c2d3e7f008000000000000010"
         *       ],
         *       "scope": "user"
         *     }
         */
        DatasetRequest: {
            /** @description Name of the dataset. */
            name: string;
            /** @description Batches that you may read. The dataset has exactly the analyses of these batches. */
            batch_ids?: string[] | null;
            /** @description Videos that are listed without analyses. */
            video_ids?: string[] | null;
            /** @description A label that existing clients send; it does not affect the content. */
            analysis_type?: ("ask" | "agent" | "unanalyzed") | null;
            /** @description What the dataset is for, in your own words. */
            search_description?: string | null;
            /** @description `user` (default): your own; `org`: members of the organization may read it, and it has shared batches and videos only. */
            scope?: ("user" | "org") | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A deleted analysis.
         * @example {
         *       "status": "deleted",
         *       "analysis_id": "019a0b1c2d3e7f008000000000000040"
         *     }
         */
        DeletedAnalysis: {
            /**
             * @description `deleted`.
             * @enum {string}
             */
            status: "deleted";
            /** @description Identifier of the deleted analysis. */
            analysis_id: string;
        };
        /**
         * @description A deleted dataset.
         * @example {
         *       "status": "deleted",
         *       "id": "019a0b1c2d3e7f008000000000000051"
         *     }
         */
        DeletedDataset: {
            /** @enum {string} */
            status: "deleted";
            /** @description Identifier of the dataset. */
            id: string;
        };
        /**
         * @description A deleted export.
         * @example {
         *       "status": "deleted",
         *       "export_id": "019a0b1c2d3e7f008000000000000031"
         *     }
         */
        DeletedExport: {
            /** @enum {string} */
            status: "deleted";
            /** @description Identifier of the export. */
            export_id: string;
        };
        /**
         * @description The folder was deleted.
         * @example {
         *       "status": "deleted",
         *       "folder_id": "019a0b1c2d3e7f008000000000000003",
         *       "video_count": 12
         *     }
         */
        DeletedFolder: {
            /**
             * @description Always `deleted`.
             * @enum {string}
             */
            status: "deleted";
            /** @description Identifier of the deleted folder. */
            folder_id: string;
            /** @description Number of videos that were moved out of it or deleted. */
            video_count: number;
        };
        /**
         * @description The deleted scheduled import.
         * @example {
         *       "status": "deleted",
         *       "id": "019a0b1c2d3e7f008000000000000041"
         *     }
         */
        DeletedImportSync: {
            /**
             * @description Always `deleted`.
             * @enum {string}
             */
            status: "deleted";
            /** @description Id of the deleted scheduled import. */
            id: string;
        };
        /**
         * @description The deleted integration.
         * @example {
         *       "status": "deleted",
         *       "id": "019a0b1c2d3e7f008000000000000021"
         *     }
         */
        DeletedIntegration: {
            /**
             * @description Always `deleted`.
             * @enum {string}
             */
            status: "deleted";
            /** @description Id of the deleted integration. */
            id: string;
        };
        /**
         * @description A deleted saved question.
         * @example {
         *       "status": "deleted",
         *       "saved_question_id": "019a0b1c2d3e7f008000000000000051"
         *     }
         */
        DeletedSavedQuestion: {
            /** @enum {string} */
            status: "deleted";
            /** @description Identifier of the saved question. */
            saved_question_id: string;
        };
        /**
         * @description The video was deleted.
         * @example {
         *       "status": "deleted",
         *       "video_id": "019a0b1c2d3e7f008000000000000010",
         *       "restorable_until": "2026-11-22T09:30:00.000Z"
         *     }
         */
        DeletedVideo: {
            /**
             * @description Always `deleted`.
             * @enum {string}
             */
            status: "deleted";
            /** @description Identifier of the deleted video. */
            video_id: string;
            /** @description End of the period in which a deleted video can be restored; null if it is not deleted, or erased. */
            restorable_until: string | null;
        };
        /**
         * @description A deleted webhook.
         * @example {
         *       "status": "deleted",
         *       "webhook_id": "019a0b1c2d3e7f008000000000000041"
         *     }
         */
        DeletedWebhook: {
            /** @enum {string} */
            status: "deleted";
            /** @description Identifier of the webhook. */
            webhook_id: string;
        };
        /**
         * @description A deleted zone.
         * @example {
         *       "status": "deleted",
         *       "zone_id": "019a0b1c2d3e7f008000000000000061"
         *     }
         */
        DeletedZone: {
            /** @enum {string} */
            status: "deleted";
            /** @description Identifier of the deleted zone. */
            zone_id: string;
        };
        DerivedVideo: {
            /** @description Id of the video; null until it is created. */
            video_id: string | null;
            /** @description Channel: the topic, or `topic#id` if several channels have the same topic. */
            channel: string;
            /** @description Same as `channel`, for existing clients. */
            channel_name: string;
            /** @description Role of the channel among the views. */
            role: string | null;
            /** @description Display label of the channel. */
            label: string | null;
            /** @description Index of the range of the recording, from 0; always 0 without `chunk_size`. */
            part: number;
            /** @description `processing`, `completed`, `failed`, or `deleted` (it was completed, then deleted from the library). */
            status: string;
            /** @description Reason why there is no video. */
            error: string | null;
            /** @description Capture time of its first frame, in seconds after the first frame of the primary view. */
            offset_s: number | null;
            /** @description Capture time of its first frame, ISO 8601, UTC; null if the clock of the recording has no date. */
            start_time: string | null;
            /** @description Time from its first frame to its last, in seconds. */
            duration_s: number | null;
            /** @description Number of frames. */
            frame_count: number | null;
            /** @description Drift of the camera's clock against the recorder's in parts per million, positive if it is faster; null if unknown. */
            drift_ppm: number | null;
            /** @description Ranges without frames: longer than half a second and three usual frame intervals. */
            gaps: {
                /** @description Time of the last frame before the gap, in seconds from the start of the video. */
                start_s: number;
                /** @description Time of the first frame after the gap. */
                end_s: number;
            }[];
            /** @description True if its frames were re-encoded. */
            reencoded: boolean | null;
            /** @description Remarks on the conversion. */
            notes: string[];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description State of a direct upload.
         * @example {
         *       "upload_id": "019a0b1c2d3e7f008000000000000010",
         *       "video_id": "019a0b1c2d3e7f008000000000000010",
         *       "size_bytes": 16777216,
         *       "part_bytes": 16777216,
         *       "part_count": 1,
         *       "arrived": [],
         *       "part_urls": [
         *         {
         *           "part_number": 1,
         *           "size_bytes": 16777216,
         *           "url": "https://bucket.s3.example.com/…",
         *           "method": "PUT",
         *           "expires_at": "2026-11-21T10:30:00.000Z"
         *         }
         *       ],
         *       "expires_at": "2026-11-24T09:30:00.000Z"
         *     }
         */
        DirectUpload: {
            /** @description Identifier of the upload. */
            upload_id: string;
            /** @description The same id: the video exists from now on, as `processing`. */
            video_id: string;
            /** @description Size of the whole file in bytes. */
            size_bytes: number;
            /** @description Size of each part except the last, which is the remainder. */
            part_bytes: number;
            /** @description Number of parts. */
            part_count: number;
            /** @description Parts that storage has received. */
            arrived: {
                /** @description Number of the part; the first is 1. */
                part_number: number;
                /** @description Size of the part in bytes. */
                size_bytes: number;
            }[];
            /** @description At creation: URLs of the first 100 parts. Request URLs of other parts, or new ones, separately. */
            part_urls: components["schemas"]["PartUrl"][];
            /**
             * Format: date-time
             * @description Expiry of the upload; an incomplete one is then removed. ISO 8601, UTC.
             */
            expires_at: string;
        };
        /**
         * @description The session ends or has ended.
         * @example {
         *       "status": "ended"
         *     }
         */
        EndedLiveSession: {
            /**
             * @description `ended`: the session ends now; `already_ended`: it had ended before.
             * @enum {string}
             */
            status: "ended" | "already_ended";
        };
        /**
         * @description The sessions have ended on every node.
         * @example {
         *       "ended": 1
         *     }
         */
        EndedSessions: {
            /** @description Number of ended sessions. */
            ended: number;
        };
        /**
         * @description The upload has ended.
         * @example {
         *       "status": "ended",
         *       "upload_id": "019a0b1c2d3e7f008000000000000010"
         *     }
         */
        EndedUpload: {
            /**
             * @description Always `ended`.
             * @enum {string}
             */
            status: "ended";
            /** @description Identifier of the ended upload. */
            upload_id: string;
        };
        /**
         * @description Every error has this shape.
         * @example {
         *       "detail": "There is no video with this id.",
         *       "message": "There is no video with this id.",
         *       "error": "video_not_found",
         *       "request_id": "019a0b1c2d3e7f008000000000000099-1"
         *     }
         */
        ErrorResponse: {
            /** @description What is wrong, in a sentence to act on; an object where there is structure. */
            detail: string | {
                [key: string]: unknown;
            };
            /** @description The same, always as a sentence. */
            message: string;
            /** @description Stable code, listed in the error reference. */
            error: string;
            /** @description All invalid fields, where the request has any. */
            errors?: {
                /** @description Path of the field or parameter: `fields[0].name`. */
                param: string;
                /** @description What is wrong with it. */
                message: string;
            }[];
            /** @description Identifier of the request; the log of the operator has it, too. */
            request_id: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Numbers of the events that match all filters, by field: the 50 most frequent values each, most events first. Events of videos without a folder are in no folder. Videos that are being deleted together with their folder may be counted for some seconds.
         * @example {
         *       "total": 1,
         *       "is_complete": true,
         *       "labels": [
         *         {
         *           "value": "The picture gets dark",
         *           "count": 1
         *         }
         *       ],
         *       "types": [
         *         {
         *           "value": "light",
         *           "count": 1
         *         }
         *       ],
         *       "severities": [
         *         {
         *           "value": "medium",
         *           "count": 1
         *         }
         *       ],
         *       "approvals": [
         *         {
         *           "value": "pending",
         *           "count": 1
         *         }
         *       ],
         *       "folders": [
         *         {
         *           "id": "019a0b1c2d3e7f008000000000000002",
         *           "name": "Night drives",
         *           "count": 1
         *         }
         *       ],
         *       "videos": [
         *         {
         *           "id": "019a0b1c2d3e7f008000000000000003",
         *           "name": "night-01.mp4",
         *           "count": 1
         *         }
         *       ]
         *     }
         */
        EventFacets: {
            /** @description Number of counted events; at most 10,000, or 1,000 in an organization with 20,000 events or more. */
            total: number;
            /** @description True if all matching events were counted. False: only the newest of them were. */
            is_complete: boolean;
            /** @description Events by label. */
            labels: {
                /** @description The value. */
                value: string;
                /** @description Number of events. */
                count: number;
            }[];
            /** @description Events by type. */
            types: {
                /** @description The value. */
                value: string;
                /** @description Number of events. */
                count: number;
            }[];
            /** @description Events by severity. */
            severities: {
                /** @description The value. */
                value: string;
                /** @description Number of events. */
                count: number;
            }[];
            /** @description Events by review state. */
            approvals: {
                /** @description The value. */
                value: string;
                /** @description Number of events. */
                count: number;
            }[];
            /** @description Events by folder. */
            folders: {
                /** @description Identifier of the folder. */
                id: string;
                /** @description Name of the folder. */
                name: string;
                /** @description Number of events. */
                count: number;
            }[];
            /** @description Events by video. */
            videos: {
                /** @description Identifier of the video. */
                id: string;
                /** @description Name of the video. */
                name: string;
                /** @description Number of events. */
                count: number;
            }[];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description What reviewers changed on an event.
         * @example {
         *       "event_id": "019a0b1c2d3e7f008000000000000011-0",
         *       "changes": [
         *         {
         *           "change_id": "019a0b1c2d3e7f008000000000000021",
         *           "action_id": "019a0b1c2d3e7f008000000000000020",
         *           "kind": "changed",
         *           "user_id": "019a0b1c2d3e7f008000000000000001",
         *           "user_name": "Ada",
         *           "before": {
         *             "approval": "pending"
         *           },
         *           "after": {
         *             "approval": "approved"
         *           },
         *           "undone": false,
         *           "created_at": "2026-11-21T09:40:00.000Z"
         *         }
         *       ]
         *     }
         */
        EventHistory: {
            /** @description Identifier of the event. */
            event_id: string;
            /** @description Changes, newest first. */
            changes: {
                /** @description Identifier of the change. */
                change_id: string;
                /** @description Shared by the changes of one request, which are undone together. */
                action_id: string;
                /** @description `changed`, `added` or `undone`. */
                kind: string;
                /** @description The reviewer. */
                user_id: string;
                /** @description Name of the reviewer; null if the user was removed. */
                user_name: string | null;
                /** @description Values before the change: fields of the request that made the change. */
                before: {
                    [key: string]: unknown;
                };
                /** @description Values after the change: fields of the request that made the change. */
                after: {
                    [key: string]: unknown;
                };
                /** @description True if the change was undone. */
                undone: boolean;
                /**
                 * Format: date-time
                 * @description Time of the change, ISO 8601, UTC.
                 */
                created_at: string;
            }[];
        };
        /**
         * @description A page of events.
         * @example {
         *       "events": [
         *         {
         *           "event_id": "019a0b1c2d3e7f008000000000000011-0",
         *           "analysis_id": "019a0b1c2d3e7f008000000000000011",
         *           "video_id": "019a0b1c2d3e7f008000000000000003",
         *           "video_name": "night-01.mp4",
         *           "video_duration_s": 61.4,
         *           "folder_id": "019a0b1c2d3e7f008000000000000002",
         *           "folder_name": "Night drives",
         *           "batch_id": null,
         *           "query": "the picture gets dark",
         *           "type": "light",
         *           "label": "The picture gets dark",
         *           "severity": "medium",
         *           "confidence": 0.94,
         *           "start_s": 12.346,
         *           "end_s": 15.015,
         *           "annotated_thumbnail_url": "http://localhost:8099/api/evidence/019a0b1c2d3e7f008000000000000011/000-0.jpg?token=t1x2y3.signature",
         *           "approval": "pending",
         *           "review": null,
         *           "assigned_to": null,
         *           "assigned_until": null,
         *           "created_at": "2026-11-21T09:30:00.000Z"
         *         }
         *       ],
         *       "facets": null,
         *       "has_more": false,
         *       "next_cursor": null
         *     }
         */
        EventPage: {
            /** @description Events in the requested order. */
            events: components["schemas"]["EventSummary"][];
            /** @description Numbers of the events that match all filters, by field: the 50 most frequent values each, most events first. Events of videos without a folder are in no folder. Videos that are being deleted together with their folder may be counted for some seconds. */
            facets: components["schemas"]["EventFacets"] | null;
            /** @description True if more events follow. */
            has_more: boolean;
            /** @description Value of `cursor` for the next page. */
            next_cursor: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description What reviewers decided about an event and changed.
         * @example {
         *       "verdicts": [
         *         {
         *           "user_id": "019a0b1c2d3e7f008000000000000001",
         *           "verdict": "rejected",
         *           "reason": "wrong thing",
         *           "reviewed_at": "2026-11-21T09:40:00.000Z"
         *         }
         *       ],
         *       "reason": "wrong thing",
         *       "disputed": false,
         *       "note": null,
         *       "added": false,
         *       "original": null
         *     }
         */
        EventReview: {
            /** @description The latest verdict of each reviewer. */
            verdicts: {
                /** @description The reviewer. */
                user_id: string;
                /** @description `approved`, `rejected` or `unsure`. */
                verdict: string;
                /** @description Reason of the verdict. */
                reason: string | null;
                /**
                 * Format: date-time
                 * @description Time of the verdict, ISO 8601, UTC.
                 */
                reviewed_at: string;
            }[];
            /** @description Reason of the verdict that decided. */
            reason: string | null;
            /** @description True if reviewers disagree and nothing is decided. */
            disputed: boolean;
            /** @description Note of the reviewers. */
            note: string | null;
            /** @description True if a person added the event. */
            added: boolean;
            /** @description What the engine reported, if a reviewer changed it: `label`, `severity`, `start_s`, `end_s`, `start_pts`, `end_pts`. */
            original: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Your verdict on an event, and corrections of it. Omitted fields stay as they are. `review.original` has what the engine reported.
         * @example {
         *       "approval": "rejected",
         *       "reason": "wrong thing"
         *     }
         */
        EventReviewRequest: {
            /**
             * @description Your verdict on the event; it replaces your earlier one. `pending` withdraws it.
             * @enum {string}
             */
            approval?: "approved" | "rejected" | "unsure" | "pending";
            /** @description Reason of the verdict, such as `wrong thing`. */
            reason?: string | null;
            /** @description Short description of the event. */
            label?: string;
            /**
             * @description Severity of the event.
             * @enum {string}
             */
            severity?: "low" | "medium" | "high";
            /** @description Note of the reviewers; null removes it. */
            note?: string | null;
            /** @description Start in seconds from the first frame. */
            start_s?: number;
            /** @description End in seconds from the first frame. */
            end_s?: number;
        };
        /**
         * @description An event of a completed analysis in a list.
         * @example {
         *       "event_id": "019a0b1c2d3e7f008000000000000011-0",
         *       "analysis_id": "019a0b1c2d3e7f008000000000000011",
         *       "video_id": "019a0b1c2d3e7f008000000000000003",
         *       "video_name": "night-01.mp4",
         *       "video_duration_s": 61.4,
         *       "folder_id": "019a0b1c2d3e7f008000000000000002",
         *       "folder_name": "Night drives",
         *       "batch_id": null,
         *       "query": "the picture gets dark",
         *       "type": "light",
         *       "label": "The picture gets dark",
         *       "severity": "medium",
         *       "confidence": 0.94,
         *       "start_s": 12.346,
         *       "end_s": 15.015,
         *       "annotated_thumbnail_url": "http://localhost:8099/api/evidence/019a0b1c2d3e7f008000000000000011/000-0.jpg?token=t1x2y3.signature",
         *       "approval": "pending",
         *       "review": null,
         *       "assigned_to": null,
         *       "assigned_until": null,
         *       "created_at": "2026-11-21T09:30:00.000Z"
         *     }
         */
        EventSummary: {
            /** @description Identifier of the event, as in the analysis document. */
            event_id: string;
            /** @description Analysis that reported the event. */
            analysis_id: string;
            /** @description Identifier of the video. */
            video_id: string;
            /** @description Display name of the video. */
            video_name: string;
            /** @description Duration of the video in seconds; null if unknown. */
            video_duration_s: number | null;
            /** @description Folder of the video; null without one. */
            folder_id: string | null;
            /** @description Name of that folder. */
            folder_name: string | null;
            /** @description Batch of the analysis; null if it has none. */
            batch_id: string | null;
            /** @description The prompt of the analysis. */
            query: string;
            /** @description Kind of event: `object`, `motion`, `light`, `cut`, `sound`, … */
            type: string;
            /** @description Short description of the event. */
            label: string;
            /** @description `low`, `medium` or `high`. */
            severity: string;
            /** @description Confidence of the engine, 0 to 1. */
            confidence: number;
            /** @description Start in seconds from the first frame. */
            start_s: number;
            /** @description End in seconds from the first frame. */
            end_s: number;
            /** @description Signed URL of the evidence image, valid for 24 hours without a key; null without evidence frames. */
            annotated_thumbnail_url: string | null;
            /** @description Review state: `pending` until reviewers have decided, then `approved`, `rejected` or `unsure`. */
            approval: string;
            /** @description What reviewers decided about an event and changed. */
            review: components["schemas"]["EventReview"] | null;
            /** @description User who works on the event; null if nobody does. */
            assigned_to: string | null;
            /** @description End of that assignment, ISO 8601, UTC. */
            assigned_until: string | null;
            /**
             * Format: date-time
             * @description Creation time of the analysis, ISO 8601, UTC.
             */
            created_at: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description An export of events.
         * @example {
         *       "export_id": "019a0b1c2d3e7f008000000000000031",
         *       "format": "csv",
         *       "status": "completed",
         *       "event_count": 148,
         *       "size_bytes": 51200,
         *       "error": null,
         *       "message": null,
         *       "filename": "events-2026-11-21-000031.csv",
         *       "download_url": "http://localhost:8099/api/exports/019a0b1c2d3e7f008000000000000031/files/events-2026-11-21-000031.csv?token=t1x2y3.signature",
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "completed_at": "2026-11-21T09:30:01.000Z",
         *       "expires_at": "2026-11-28T09:30:00.000Z"
         *     }
         */
        Export: {
            /** @description Identifier of the export. */
            export_id: string;
            /** @description Format of the file. */
            format: string;
            /** @description `processing`, `completed` or `failed`. */
            status: string;
            /** @description Number of exported events; 0 until it is completed. */
            event_count: number;
            /** @description Size of the file; null until it is completed. */
            size_bytes: number | null;
            /** @description Code of the failure; null without one. */
            error: string | null;
            /** @description Reason of the failure in a sentence; null without one. */
            message: string | null;
            /** @description Name of the file. */
            filename: string;
            /** @description Signed URL of the file, valid for a day without a key; null until it is completed. */
            download_url: string | null;
            /**
             * Format: date-time
             * @description Time of the request, ISO 8601, UTC.
             */
            created_at: string;
            /** @description Time when the file was written, ISO 8601, UTC. */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description Time when the export is deleted, ISO 8601, UTC.
             */
            expires_at: string;
        };
        /**
         * @description A page of exports.
         * @example {
         *       "exports": [
         *         {
         *           "export_id": "019a0b1c2d3e7f008000000000000031",
         *           "format": "csv",
         *           "status": "completed",
         *           "event_count": 148,
         *           "size_bytes": 51200,
         *           "error": null,
         *           "message": null,
         *           "filename": "events-2026-11-21-000031.csv",
         *           "download_url": "http://localhost:8099/api/exports/019a0b1c2d3e7f008000000000000031/files/events-2026-11-21-000031.csv?token=t1x2y3.signature",
         *           "created_at": "2026-11-21T09:30:00.000Z",
         *           "completed_at": "2026-11-21T09:30:01.000Z",
         *           "expires_at": "2026-11-28T09:30:00.000Z"
         *         }
         *       ],
         *       "has_more": false,
         *       "next_cursor": null
         *     }
         */
        ExportList: {
            /** @description Your exports, newest first. */
            exports: components["schemas"]["Export"][];
            /** @description True if more exports follow. */
            has_more: boolean;
            /** @description Value of `cursor` for the next page. */
            next_cursor: string | null;
        };
        /**
         * @description Events to export, and the format of the file. All filters must match.
         * @example {
         *       "format": "csv",
         *       "approval": "approved"
         *     }
         */
        ExportRequest: {
            /**
             * @description `csv`, `json`, `jsonl`, `parquet`: all fields. `vtt`, `srt`, `chapters` (FFmpeg metadata), `mcap` (with boxes as annotations for Foxglove): events on the timeline of one video. `otio`, `edl` (CMX 3600), `fcpxml`: a cut of all events. `coco`, `cvat` (CVAT for images 1.1): boxes of the evidence frames. `label_studio`: tasks with predictions, or annotations of decided events. `geojson`: where events happened, of recordings with positions. `html`: a report that opens offline, `zip`: clips and evidence images with tables; of at most 1,000 events. `recap`: one MP4 with captions, of at most 200 events.
             * @enum {string}
             */
            format: "csv" | "json" | "jsonl" | "parquet" | "vtt" | "srt" | "chapters" | "otio" | "edl" | "fcpxml" | "coco" | "cvat" | "label_studio" | "geojson" | "html" | "zip" | "recap" | "mcap";
            /** @description Only events whose label, type or prompt contain all words. */
            q?: string | null;
            /** @description Only events of the videos of this folder. */
            folder_id?: string | null;
            /** @description Only events of these videos. Formats with times of one video need exactly one. */
            video_ids?: string[] | null;
            /** @description Only events of this batch. */
            batch_id?: string | null;
            /** @description Only events with exactly this label. */
            label?: string | null;
            /** @description Only events of this kind. */
            type?: string | null;
            /** @description Only events of this severity. */
            severity?: ("low" | "medium" | "high") | null;
            /** @description Only events with this review state. */
            approval?: ("pending" | "approved" | "rejected" | "unsure") | null;
            /** @description Only events with at least this confidence. */
            min_confidence?: number | null;
            /** @description True: only events that people added. */
            added?: boolean | null;
            /** @description True: only undecided events whose reviewers disagree. */
            disputed?: boolean | null;
            /** @description Only events of analyses that were created at this time or later, ISO 8601. */
            created_after?: string | null;
            /** @description Only events of analyses that were created before this time, ISO 8601. */
            created_before?: string | null;
        };
        /**
         * @description Objects to import: `files`, `sets`, or a selection by `prefix`, `include` and `exclude`.
         * @example {
         *       "integration_id": "019a0b1c2d3e7f008000000000000021",
         *       "files": [
         *         "drives/a.mp4",
         *         "drives/b.mp4"
         *       ],
         *       "folder_id": null
         *     }
         * @example {
         *       "integration_id": "019a0b1c2d3e7f008000000000000021",
         *       "prefix": "drives/",
         *       "include": [
         *         "**\/front_*.mp4"
         *       ],
         *       "sidecars": true
         *     }
         */
        FilesToImport: {
            /** @description Object keys or URIs (`s3://bucket/key`). Duplicates count once. */
            files?: string[] | null;
            /** @description Integration that opens the bucket. Default: the one saved for the bucket. */
            integration_id?: string | null;
            /** @description Name of the bucket. Optional if `integration_id` is given. */
            bucket?: string | null;
            /** @description Sets of views, instead of single objects. Each set is one row of the import. */
            sets?: {
                /** @description Object key or URI by view role. `front` is required; others are, for example, `left` and `rear`. */
                views: {
                    [key: string]: string;
                };
            }[] | null;
            /** @description If true, objects that were already imported in the same version are imported again. Default false. */
            force?: boolean | null;
            /** @description Import objects whose key starts with this prefix. Default: the prefix of the integration. */
            prefix?: string | null;
            /** @description Only import objects whose key matches one of these patterns: `*` matches within a folder, `**` across folders, `?` one character. */
            include?: string[] | null;
            /** @description Skip objects whose key matches one of these patterns. */
            exclude?: string[] | null;
            /** @description Folder of the videos. */
            folder_id?: string | null;
            /** @description Visibility of the videos: `user` (only you) or `org` (your organization). Default: the scope of the folder, else `user`. */
            scope?: ("user" | "org") | null;
            /** @description If true, the telemetry file beside each video (same name with the extension `.json`, `.csv` or `.srt`) is imported with it. Default false. */
            sidecars?: boolean | null;
        };
        /**
         * @description A folder.
         * @example {
         *       "id": "019a0b1c2d3e7f008000000000000003",
         *       "name": "Night drives",
         *       "org_id": "019a0b1c2d3e7f008000000000000000",
         *       "description": "Collected in Lisbon",
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "scope": "org",
         *       "created_by": "019a0b1c2d3e7f008000000000000001",
         *       "video_count": 12,
         *       "retention_days": null,
         *       "vision_profile": null
         *     }
         */
        Folder: {
            /** @description Identifier of the folder. */
            id: string;
            /** @description The name, unique per scope. Surrounding spaces are removed. */
            name: string;
            /** @description Organization of the folder; also set for personal folders. */
            org_id: string;
            /** @description Purpose of the folder; empty if it has none. */
            description: string;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601, UTC.
             */
            created_at: string;
            /**
             * @description `user`: a personal folder, visible to its owner only; `org`: visible to everyone in the organization. `sample`: the folder of sample videos, which everyone in the organization can read and nobody can change.
             * @enum {string}
             */
            scope: "user" | "org" | "sample";
            /** @description The user who created it. */
            created_by: string;
            /** @description Number of videos in the folder. */
            video_count: number;
            /** @description Number of days after the start of the upload when a video of this folder is deleted; null: never. */
            retention_days: number | null;
            /** @description Profile of the vision-language model for queries on videos of this folder; null: that of the service. */
            vision_profile: string | null;
        };
        /**
         * @description Changes to a folder; omitted fields stay as they are. A `description` of null removes it, a `retention_days` of null keeps videos for ever, a `vision_profile` of null is that of the service.
         * @example {
         *       "name": "Night drives 2026",
         *       "retention_days": 90
         *     }
         */
        FolderChanges: {
            /** @description The name, unique per scope. Surrounding spaces are removed. */
            name?: string | null;
            /** @description Purpose of the folder. */
            description?: string | null;
            /** @description Number of days after the start of the upload when a video of this folder is deleted; null: never. */
            retention_days?: number | null;
            /** @description Profile of the vision-language model for queries on videos of this folder; null: that of the service. */
            vision_profile?: string | null;
        };
        /**
         * @description A page of folders.
         * @example {
         *       "folders": [
         *         {
         *           "id": "019a0b1c2d3e7f008000000000000003",
         *           "name": "Night drives",
         *           "org_id": "019a0b1c2d3e7f008000000000000000",
         *           "description": "Collected in Lisbon",
         *           "created_at": "2026-11-21T09:30:00.000Z",
         *           "scope": "org",
         *           "created_by": "019a0b1c2d3e7f008000000000000001",
         *           "video_count": 12,
         *           "retention_days": null,
         *           "vision_profile": null
         *         }
         *       ],
         *       "has_more": false,
         *       "next_cursor": null
         *     }
         */
        FolderList: {
            /** @description Folders, by name. */
            folders: components["schemas"]["Folder"][];
            /** @description True if more folders follow. */
            has_more: boolean;
            /** @description Value of `cursor` for the next page. */
            next_cursor: string | null;
        };
        /**
         * @description How the events of a folder are reviewed, and how far reviewers agree.
         * @example {
         *       "folder_id": "019a0b1c2d3e7f008000000000000002",
         *       "reviewers": 2,
         *       "agreement": [
         *         {
         *           "reviewers": [
         *             {
         *               "user_id": "019a0b1c2d3e7f008000000000000001",
         *               "name": "Ada"
         *             },
         *             {
         *               "user_id": "019a0b1c2d3e7f008000000000000009",
         *               "name": "Grace"
         *             }
         *           ],
         *           "events": 40,
         *           "observed": 0.9,
         *           "kappa": 0.78
         *         }
         *       ]
         *     }
         */
        FolderReview: {
            /** @description Identifier of the folder. */
            folder_id: string;
            /** @description Number of reviewers who must agree. */
            reviewers: number;
            /** @description Agreement of every two reviewers, most events first. */
            agreement: {
                /** @description The two reviewers. */
                reviewers: {
                    /** @description Identifier of the reviewer. */
                    user_id: string;
                    /** @description Name of the reviewer; null if the user was removed. */
                    name: string | null;
                }[];
                /** @description Number of events that both have judged. */
                events: number;
                /** @description Share of them with equal verdicts. */
                observed: number;
                /** @description Cohen's kappa: 1 is full agreement, 0 that of chance. Null if chance alone would agree on everything. */
                kappa: number | null;
            }[];
        };
        /** @description An event that one or more views show. */
        FusedEvent: {
            /** @description Event of the view with the highest confidence. */
            event_id: string;
            /** @description Category of the event. */
            category: string;
            /** @description Label by the view with the highest confidence. */
            label: string;
            /** @description `low`, `medium` or `high`. */
            severity: string;
            /** @description Highest confidence among the views, 0 to 1. */
            confidence: number;
            /** @description Earliest start in any view, in seconds of the primary view. */
            start_s: number;
            /** @description Latest end in any view, in seconds of the primary view. */
            end_s: number;
            /** @description Views that show the event. */
            views: {
                /** @description Role of the view. */
                role: string;
                /** @description Video of the view. */
                video_id: string;
                /** @description Analysis that found the event. */
                analysis_id: string;
                /** @description Event in that analysis. */
                event_id: string;
                /** @description Label of the event in that analysis. */
                label: string;
                /** @description Confidence, 0 to 1. */
                confidence: number;
                /** @description Start, in seconds of that video. */
                start_s: number;
                /** @description End, in seconds of that video. */
                end_s: number;
            }[];
        };
        /**
         * @description Fused results of several views.
         * @example {
         *       "view_types": [
         *         "front",
         *         "rear"
         *       ],
         *       "fusion_method": "linked_views",
         *       "results": [
         *         {
         *           "video_id": "019a0b1c2d3e7f008000000000000061",
         *           "views": {
         *             "front": "019a0b1c2d3e7f008000000000000061",
         *             "rear": "019a0b1c2d3e7f008000000000000062"
         *           },
         *           "events": []
         *         }
         *       ],
         *       "unmatched_results": []
         *     }
         */
        FusedResults: {
            /** @description Roles of the views. */
            view_types: string[];
            /** @description `linked_views`: by linked sets and their offsets; `view_keys`: also by the order of videos in batches. */
            fusion_method: string;
            /** @description One result per set of views. */
            results: {
                /** @description Video of the primary view. */
                video_id: string;
                /** @description Videos by role. */
                views: {
                    [key: string]: string;
                };
                /** @description Events, each once. */
                events: components["schemas"]["FusedEvent"][];
            }[];
            /** @description Results that could not be fused. */
            unmatched_results: {
                /** @description A video that is not in a set of views. */
                video_id: string;
                /** @description Its analysis. */
                analysis_id: string;
                /** @description Its events, unchanged. */
                events: {
                    [key: string]: unknown;
                }[];
            }[];
        };
        /**
         * @description The process is running.
         * @example {
         *       "status": "ok",
         *       "version": "0.1.0",
         *       "uptime_s": 86400
         *     }
         */
        Health: {
            /**
             * @description Always `ok`: the process is running.
             * @enum {string}
             */
            status: "ok";
            /** @description Version of the service. */
            version: string;
            /** @description Seconds since this process started. */
            uptime_s: number;
        };
        /**
         * @description An import job.
         * @example {
         *       "id": "ij_0a1b2c3d4e5f",
         *       "import_job_id": "ij_0a1b2c3d4e5f",
         *       "job_id": "ij_0a1b2c3d4e5f",
         *       "status": "importing",
         *       "source": "s3",
         *       "bucket": "fleet-recordings",
         *       "prefix": "drives/",
         *       "integration_id": "019a0b1c2d3e7f008000000000000021",
         *       "sync_id": null,
         *       "folder_id": null,
         *       "folder_name": null,
         *       "scope": "org",
         *       "terminal": false,
         *       "poll_after_seconds": 2,
         *       "listed": true,
         *       "total": 2,
         *       "objects": 2,
         *       "uploaded": 1,
         *       "skipped": 0,
         *       "failed": 0,
         *       "error": null,
         *       "message": null,
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "updated_at": "2026-11-21T09:30:05.000Z",
         *       "completed_at": null
         *     }
         */
        ImportJob: {
            /** @description Id of the import job: `ij_` and 12 hexadecimal digits. */
            id: string;
            /** @description Id of the import job: `ij_` and 12 hexadecimal digits. */
            import_job_id: string;
            /** @description Id of the import job: `ij_` and 12 hexadecimal digits. */
            job_id: string;
            /**
             * @description `importing`, then `completed` (all objects imported), `partial` (some failed), `failed` (all failed) or `cancelled`.
             * @enum {string}
             */
            status: "importing" | "completed" | "partial" | "failed" | "cancelled";
            /**
             * @description Provider of the bucket.
             * @enum {string}
             */
            source: "gcs" | "s3" | "hf_bucket";
            /** @description Name of the bucket. */
            bucket: string;
            /** @description Prefix of the selection; null if the request named objects. */
            prefix: string | null;
            /** @description Integration that opens the bucket; null for a public bucket or after its deletion. */
            integration_id: string | null;
            /** @description Scheduled import that started this job. */
            sync_id: string | null;
            /** @description Folder of the videos. */
            folder_id: string | null;
            /** @description Name of the folder. */
            folder_name: string | null;
            /**
             * @description Visibility of the videos: `user` (only you) or `org` (your organization). Default: the scope of the folder, else `user`.
             * @enum {string}
             */
            scope: "user" | "org";
            /** @description True once the import has ended; it then only changes if it is retried. */
            terminal: boolean;
            /** @description Seconds to wait before you poll again; null once the import has ended. */
            poll_after_seconds: number | null;
            /** @description True once the bucket is listed; `total` grows until then. */
            listed: boolean;
            /** @description Number of rows: objects, or sets of views. */
            total: number;
            /** @description Number of objects; each view of a set counts. */
            objects: number;
            /** @description Number of objects in the library, including skipped ones. */
            uploaded: number;
            /** @description Number of those in `uploaded` that an earlier import had already imported. */
            skipped: number;
            /** @description Number of objects that could not be imported. */
            failed: number;
            /** @description Error code if the bucket could not be listed completely. */
            error: string | null;
            /** @description Explanation of `error`. */
            message: string | null;
            /**
             * Format: date-time
             * @description Start time, ISO 8601, UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last progress.
             */
            updated_at: string;
            /** @description End time. */
            completed_at: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A page of import jobs.
         * @example {
         *       "import_jobs": [
         *         {
         *           "id": "ij_0a1b2c3d4e5f",
         *           "import_job_id": "ij_0a1b2c3d4e5f",
         *           "job_id": "ij_0a1b2c3d4e5f",
         *           "status": "importing",
         *           "source": "s3",
         *           "bucket": "fleet-recordings",
         *           "prefix": "drives/",
         *           "integration_id": "019a0b1c2d3e7f008000000000000021",
         *           "sync_id": null,
         *           "folder_id": null,
         *           "folder_name": null,
         *           "scope": "org",
         *           "terminal": false,
         *           "poll_after_seconds": 2,
         *           "listed": true,
         *           "total": 2,
         *           "objects": 2,
         *           "uploaded": 1,
         *           "skipped": 0,
         *           "failed": 0,
         *           "error": null,
         *           "message": null,
         *           "created_at": "2026-11-21T09:30:00.000Z",
         *           "updated_at": "2026-11-21T09:30:05.000Z",
         *           "completed_at": null
         *         }
         *       ],
         *       "has_more": false,
         *       "next_cursor": null
         *     }
         */
        ImportJobList: {
            /** @description Import jobs, newest first. */
            import_jobs: components["schemas"]["ImportJob"][];
            /** @description True if there are more import jobs. */
            has_more: boolean;
            /** @description Pass it as `cursor` to get the next page. */
            next_cursor: string | null;
        };
        /**
         * @description A page of objects that would be imported.
         * @example {
         *       "objects": [
         *         {
         *           "key": "drives/front_1.mp4",
         *           "import_source_uri": "s3://fleet-recordings/drives/front_1.mp4",
         *           "size_bytes": 1048576
         *         }
         *       ],
         *       "passed_over": 3,
         *       "has_more": false,
         *       "next_cursor": null
         *     }
         */
        ImportPreview: {
            /** @description Objects that would be imported, in the order of the bucket. */
            objects: {
                /** @description Key of the object. */
                key: string;
                /** @description URI of the object: `s3://bucket/key`. */
                import_source_uri: string;
                /** @description Size of the object in bytes. */
                size_bytes: number;
            }[];
            /** @description Number of objects on this page that do not match. */
            passed_over: number;
            /** @description True if the bucket has more objects. */
            has_more: boolean;
            /** @description Pass it as `cursor` to get the next page. */
            next_cursor: string | null;
        };
        /** @description A row: an object, or a set with the fields of its front view. */
        ImportRow: {
            /** @description Id of the video; for a recording, id of its ingest (`/api/mcap/{ingest_id}`). */
            video_id: string;
            /** @description `video` or `recording` (MCAP). A recording is `UPLOADED` once stored; it is then converted to videos. */
            kind: string;
            /** @description `PROCESSING`, then `UPLOADED` or `UPLOADING_FAILED`. The status of a set covers all its views. */
            status: string;
            /** @description `already imported` if an earlier import has this object in the same version; `video_id` is then its video. Else null. */
            skipped: "already imported" | null;
            /** @description URI of the object: `s3://bucket/key`. */
            import_source_uri: string;
            /** @description Error code if the import of the object failed. */
            error: string | null;
            /** @description Explanation of `error`. */
            message: string | null;
            /** @description Size of the object in bytes, once known. */
            size_bytes: number | null;
            /** @description Views of a set, by role. */
            views?: {
                [key: string]: components["schemas"]["ImportView"];
            };
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A page of the rows of an import job.
         * @example {
         *       "import_job_id": "ij_0a1b2c3d4e5f",
         *       "videos": [
         *         {
         *           "video_id": "019a0b1c2d3e7f008000000000000031",
         *           "kind": "video",
         *           "status": "UPLOADED",
         *           "skipped": null,
         *           "import_source_uri": "s3://fleet-recordings/drives/a.mp4",
         *           "size_bytes": 1048576,
         *           "error": null,
         *           "message": null
         *         }
         *       ],
         *       "total": 2,
         *       "video_count": 1,
         *       "has_more": true,
         *       "next_cursor": "019a0b1c2d3e7f008000000000000031",
         *       "limit": 1,
         *       "cursor": null
         *     }
         */
        ImportRowList: {
            /** @description Id of the import job: `ij_` and 12 hexadecimal digits. */
            import_job_id: string;
            /** @description A page of rows, in the order in which the objects were named or listed. */
            videos: components["schemas"]["ImportRow"][];
            /** @description Number of rows of the job so far. */
            total: number;
            /** @description Number of rows on this page. */
            video_count: number;
            /** @description True if there are more rows now. */
            has_more: boolean;
            /** @description Pass it as `cursor` to get the next page; null at the end. */
            next_cursor: string | null;
            /** @description Page size. */
            limit: number;
            /** @description The cursor of the request. */
            cursor: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A scheduled import.
         * @example {
         *       "id": "019a0b1c2d3e7f008000000000000041",
         *       "integration_id": "019a0b1c2d3e7f008000000000000021",
         *       "prefix": "drives/",
         *       "include": [],
         *       "exclude": [],
         *       "folder_id": null,
         *       "scope": "org",
         *       "sidecars": false,
         *       "every_minutes": 15,
         *       "next_run_at": "2026-11-21T09:45:00.000Z",
         *       "error": null,
         *       "message": null,
         *       "last_import_job_id": "ij_0a1b2c3d4e5f",
         *       "created_at": "2026-11-21T09:30:00.000Z"
         *     }
         */
        ImportSync: {
            /** @description Id of the scheduled import. */
            id: string;
            /** @description Integration that opens the bucket. */
            integration_id: string;
            /** @description Prefix of the imported objects. */
            prefix: string;
            /** @description Patterns, at least one of which an object must match. */
            include: string[];
            /** @description Patterns of objects to skip. */
            exclude: string[];
            /** @description Folder of the videos. */
            folder_id: string | null;
            /**
             * @description Visibility of the videos: `user` (only you) or `org` (your organization). Default: the scope of the folder, else `user`.
             * @enum {string}
             */
            scope: "user" | "org";
            /** @description If true, the telemetry file beside each video (same name with the extension `.json`, `.csv` or `.srt`) is imported with it. Default false. */
            sidecars: boolean;
            /** @description Interval between runs in minutes. */
            every_minutes: number;
            /** @description Time of the next run, ISO 8601, UTC; null if it has stopped. */
            next_run_at: string | null;
            /** @description Error code if it has stopped: its creator was removed, or may no longer use the integration or the folder. */
            error: string | null;
            /** @description Explanation of `error`. */
            message: string | null;
            /** @description Import job of the last run that found new objects. Other runs leave no job. */
            last_import_job_id: string | null;
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
        };
        /**
         * @description Scheduled imports that you can see.
         * @example {
         *       "syncs": [
         *         {
         *           "id": "019a0b1c2d3e7f008000000000000041",
         *           "integration_id": "019a0b1c2d3e7f008000000000000021",
         *           "prefix": "drives/",
         *           "include": [],
         *           "exclude": [],
         *           "folder_id": null,
         *           "scope": "org",
         *           "sidecars": false,
         *           "every_minutes": 15,
         *           "next_run_at": "2026-11-21T09:45:00.000Z",
         *           "error": null,
         *           "message": null,
         *           "last_import_job_id": "ij_0a1b2c3d4e5f",
         *           "created_at": "2026-11-21T09:30:00.000Z"
         *         }
         *       ]
         *     }
         */
        ImportSyncList: {
            /** @description Scheduled imports, oldest first. */
            syncs: components["schemas"]["ImportSync"][];
        };
        /** @description A view of a set. */
        ImportView: {
            /** @description Id of the video; for a recording, id of its ingest (`/api/mcap/{ingest_id}`). */
            video_id: string;
            /** @description `video` or `recording` (MCAP). A recording is `UPLOADED` once stored; it is then converted to videos. */
            kind: string;
            /** @description `PROCESSING`, then `UPLOADED` or `UPLOADING_FAILED`. The status of a set covers all its views. */
            status: string;
            /** @description `already imported` if an earlier import has this object in the same version; `video_id` is then its video. Else null. */
            skipped: "already imported" | null;
            /** @description URI of the object: `s3://bucket/key`. */
            import_source_uri: string;
            /** @description Error code if the import of the object failed. */
            error: string | null;
            /** @description Explanation of `error`. */
            message: string | null;
        };
        /**
         * @description Videos whose captions are awaited.
         * @example {
         *       "video_ids": [
         *         "019a0b1c2d3e7f008000000000000003"
         *       ],
         *       "run_id": "019a0b1c2d3e7f008000000000000010"
         *     }
         */
        IndexRun: {
            /** @description Identifiers of 1 to 200 videos. */
            video_ids: string[];
            /** @description Identifier of the run. */
            run_id?: string | null;
            /** @description Kind of footage: `driving` (default), or `construction` or `robotics`, which need a vision-language model. The modes have captions of their own. */
            mode?: ("driving" | "construction" | "robotics") | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Results so far.
         * @example {
         *       "results": {}
         *     }
         */
        IndexStatus: {
            /** @description Results by the id of the video. Videos that are still being captioned are absent. */
            results: {
                [key: string]: components["schemas"]["VideoIndex"];
            };
        };
        /**
         * @description Videos that would be captioned.
         * @example {
         *       "view_targets": {
         *         "019a0b1c2d3e7f008000000000000003": "019a0b1c2d3e7f008000000000000003"
         *       },
         *       "results": {}
         *     }
         */
        IndexTargets: {
            /** @description Video that is captioned, by the id of the requested one: the primary view of its set, or itself. */
            view_targets: {
                [key: string]: string;
            };
            /** @description Results by the id of the video. Videos that are still being captioned are absent. */
            results: {
                [key: string]: components["schemas"]["VideoIndex"];
            };
        };
        /**
         * @description The fields that a prompt requests.
         * @example {
         *       "output_schema": {
         *         "label": "structured_output",
         *         "scope": "event",
         *         "version": 1,
         *         "fields": [
         *           {
         *             "name": "verdict",
         *             "type": "enum",
         *             "description": null,
         *             "values": [
         *               "yes",
         *               "no",
         *               "uncertain"
         *             ],
         *             "repeated": false,
         *             "required": true
         *           }
         *         ]
         *       },
         *       "reason": null
         *     }
         */
        InferredSchema: {
            /** @description The schema, to send with a query. */
            output_schema: {
                [key: string]: unknown;
            } | null;
            /** @description Why there is no schema. */
            reason: string | null;
        };
        /**
         * @description A saved integration. Secrets are never returned.
         * @example {
         *       "id": "019a0b1c2d3e7f008000000000000021",
         *       "name": "Fleet recordings",
         *       "type": "s3",
         *       "scope": "org",
         *       "bucket": "fleet-recordings",
         *       "prefix": "drives/",
         *       "region": "eu-central-1",
         *       "endpoint_url": null,
         *       "addressing": null,
         *       "role_arn": null,
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "last_used": null,
         *       "is_owner": true,
         *       "created_by": "019a0b1c2d3e7f008000000000000001",
         *       "created_by_display_name": "Ada"
         *     }
         */
        Integration: {
            /** @description Id of the integration. */
            id: string;
            /** @description Display name. */
            name: string;
            /**
             * @description Type of access: `gcs`, `s3` (with keys), `hf_bucket`, or `s3_storage_transfer` (S3 with a role).
             * @enum {string}
             */
            type: "gcs" | "s3" | "hf_bucket" | "s3_storage_transfer";
            /**
             * @description Who may use the integration: `org` (everyone in the organization, the default) or `user` (only you).
             * @enum {string}
             */
            scope: "user" | "org";
            /** @description Name of the bucket; for Hugging Face, `namespace/name`. */
            bucket: string;
            /** @description Default prefix of previews and imports. */
            prefix: string | null;
            /** @description Region of the bucket, such as `eu-central-1`. */
            region: string | null;
            /** @description URL of a compatible server, such as MinIO or R2. Default: the server of the provider. Private addresses require that the operator allows them. */
            endpoint_url: string | null;
            /** @description Position of the bucket name in URLs: `path` (`endpoint/bucket/key`) or `virtual` (`bucket.endpoint/key`). Default: `path` with an `endpoint_url`, else `virtual`. */
            addressing: ("path" | "virtual") | null;
            /** @description Role to assume. */
            role_arn: string | null;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601, UTC.
             */
            created_at: string;
            /** @description Time of the last use by an import; null if it was never used. */
            last_used: string | null;
            /** @description True if you created it. */
            is_owner: boolean;
            /** @description User who created it. */
            created_by: string;
            /** @description Name of that user. */
            created_by_display_name: string;
        };
        /**
         * @description Settings to change. Omitted settings stay; null clears `prefix`, `region`, `endpoint_url` and `addressing`. Credentials are replaced as a whole.
         * @example {
         *       "name": "Fleet recordings 2026",
         *       "prefix": "drives/2026/"
         *     }
         */
        IntegrationChanges: {
            /** @description Display name. */
            name?: string | null;
            /** @description Who may use the integration: `org` (everyone in the organization, the default) or `user` (only you). */
            scope?: ("user" | "org") | null;
            /** @description Name of the bucket; for Hugging Face, `namespace/name`. */
            bucket?: string | null;
            /** @description Default prefix of previews and imports. */
            prefix?: string | null;
            /** @description Region of the bucket, such as `eu-central-1`. */
            region?: string | null;
            /** @description URL of a compatible server, such as MinIO or R2. Default: the server of the provider. Private addresses require that the operator allows them. */
            endpoint_url?: string | null;
            /** @description Position of the bucket name in URLs: `path` (`endpoint/bucket/key`) or `virtual` (`bucket.endpoint/key`). Default: `path` with an `endpoint_url`, else `virtual`. */
            addressing?: ("path" | "virtual") | null;
            /** @description Role to assume. Its trust policy must be the one that the setup returns. */
            role_arn?: string | null;
            service_account?: components["schemas"]["ServiceAccountKey"];
            /** @description Access key id. */
            access_key_id?: string;
            /** @description Secret access key. */
            secret_access_key?: string;
            /** @description Session token of temporary keys. */
            session_token?: string | null;
            /** @description Hugging Face token (`hf_…`) with read access. */
            token?: string;
        };
        /**
         * @description Integrations that you may use, oldest first; with an admin key, all of the organization.
         * @example [
         *       {
         *         "id": "019a0b1c2d3e7f008000000000000021",
         *         "name": "Fleet recordings",
         *         "type": "s3",
         *         "scope": "org",
         *         "bucket": "fleet-recordings",
         *         "prefix": "drives/",
         *         "region": "eu-central-1",
         *         "endpoint_url": null,
         *         "addressing": null,
         *         "role_arn": null,
         *         "created_at": "2026-11-21T09:30:00.000Z",
         *         "last_used": null,
         *         "is_owner": true,
         *         "created_by": "019a0b1c2d3e7f008000000000000001",
         *         "created_by_display_name": "Ada"
         *       }
         *     ]
         */
        IntegrationList: components["schemas"]["Integration"][];
        /**
         * @description Result of a test.
         * @example {
         *       "ok": true,
         *       "message": "The bucket can be listed and \"drives/a.mp4\" can be read.",
         *       "error": null
         *     }
         */
        IntegrationTest: {
            /** @description True if the bucket can be listed and read. */
            ok: boolean;
            /** @description Result of the test in words. */
            message: string;
            /** @description Error code; null if the test succeeded. */
            error: string | null;
        };
        /**
         * @description An open invitation, without its link.
         * @example {
         *       "invitation_id": "019a0b1c2d3e7f008000000000000008",
         *       "email": "grace@example.com",
         *       "role": "member",
         *       "invited_by": "019a0b1c2d3e7f008000000000000001",
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "expires_at": "2026-11-28T09:30:00.000Z"
         *     }
         */
        Invitation: {
            /** @description Identifier of the invitation. */
            invitation_id: string;
            /** @description E-mail address of the invited person. */
            email: string;
            /**
             * @description `member`: reads and writes; `admin`: also manages keys and members; `owner`: also manages owners and admins.
             * @enum {string}
             */
            role: "owner" | "admin" | "member";
            /** @description The user who created the invitation; null: the operator. */
            invited_by: string | null;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601, UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Expiry of the link, ISO 8601, UTC.
             */
            expires_at: string;
        };
        /**
         * @description A page of open invitations.
         * @example {
         *       "invitations": [
         *         {
         *           "invitation_id": "019a0b1c2d3e7f008000000000000008",
         *           "email": "grace@example.com",
         *           "role": "member",
         *           "invited_by": "019a0b1c2d3e7f008000000000000001",
         *           "created_at": "2026-11-21T09:30:00.000Z",
         *           "expires_at": "2026-11-28T09:30:00.000Z"
         *         }
         *       ],
         *       "has_more": false,
         *       "next_cursor": null
         *     }
         */
        InvitationList: {
            /** @description Open invitations, newest first. */
            invitations: components["schemas"]["Invitation"][];
            /** @description True if more invitations follow. */
            has_more: boolean;
            /** @description Value of `cursor` for the next page. */
            next_cursor: string | null;
        };
        /**
         * @description Objects to import: `keys`, `sets`, or a selection by `prefix`, `include` and `exclude`.
         * @example {
         *       "bucket": "fleet-recordings",
         *       "keys": [
         *         "drives/a.mp4",
         *         "drives/b.mp4"
         *       ],
         *       "folder_id": null,
         *       "scope": "org"
         *     }
         * @example {
         *       "bucket": "fleet-recordings",
         *       "sets": [
         *         {
         *           "views": {
         *             "front": "s3://fleet-recordings/1/front.mp4",
         *             "left": "s3://fleet-recordings/1/left.mp4"
         *           }
         *         }
         *       ]
         *     }
         */
        KeysToImport: {
            /** @description Object keys or URIs (`s3://bucket/key`). Duplicates count once. */
            keys?: string[] | null;
            /** @description Integration that opens the bucket. Default: the one saved for the bucket. */
            integration_id?: string | null;
            /** @description Name of the bucket. Optional if `integration_id` is given. */
            bucket?: string | null;
            /** @description Sets of views, instead of single objects. Each set is one row of the import. */
            sets?: {
                /** @description Object key or URI by view role. `front` is required; others are, for example, `left` and `rear`. */
                views: {
                    [key: string]: string;
                };
            }[] | null;
            /** @description If true, objects that were already imported in the same version are imported again. Default false. */
            force?: boolean | null;
            /** @description Import objects whose key starts with this prefix. Default: the prefix of the integration. */
            prefix?: string | null;
            /** @description Only import objects whose key matches one of these patterns: `*` matches within a folder, `**` across folders, `?` one character. */
            include?: string[] | null;
            /** @description Skip objects whose key matches one of these patterns. */
            exclude?: string[] | null;
            /** @description Folder of the videos. */
            folder_id?: string | null;
            /** @description Visibility of the videos: `user` (only you) or `org` (your organization). Default: the scope of the folder, else `user`. */
            scope?: ("user" | "org") | null;
            /** @description If true, the telemetry file beside each video (same name with the extension `.json`, `.csv` or `.srt`) is imported with it. Default false. */
            sidecars?: boolean | null;
        };
        /**
         * @description Progress of the analysis.
         * @example {
         *       "state": "running",
         *       "analysed_s": 2,
         *       "behind_s": 0,
         *       "sampling": "full",
         *       "skipped_s": 0,
         *       "skipped": [],
         *       "coverage": [
         *         {
         *           "text": "truck stops",
         *           "status": "looked_for",
         *           "by": [
         *             "objects (yolox_nano)"
         *           ],
         *           "reason": null,
         *           "findings": 0,
         *           "from_s": 0,
         *           "until_s": 2,
         *           "analysed_s": 2,
         *           "intervals": [
         *             {
         *               "from_s": 0,
         *               "until_s": 2,
         *               "status": "looked_for",
         *               "by": [
         *                 "objects (yolox_nano)"
         *               ],
         *               "reason": null
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        LiveAnalysis: {
            /**
             * @description `waiting`: nothing was analyzed yet; `ended`: no more events follow.
             * @enum {string}
             */
            state: "waiting" | "running" | "ended";
            /** @description Position of the analysis in seconds from the first frame of the stream. */
            analysed_s: number;
            /** @description Recorded duration that was not analyzed yet, in seconds. */
            behind_s: number;
            /**
             * @description Sampling rate, adapted to the load of the machine. Signals of the whole image use every frame; objects are detected in five frames per second (`full`), two (`reduced`), one (`sparse`) or none (`pictures`).
             * @enum {string}
             */
            sampling: "full" | "reduced" | "sparse" | "pictures";
            /** @description Duration that was skipped to keep up and is not analyzed yet, or could not be decoded. */
            skipped_s: number;
            /** @description Skipped ranges, in order of time. Ranges that were analyzed later are removed from the list. */
            skipped: ({
                /** @description Start in seconds from the first frame of the session. */
                from_s: number;
                /** @description End in seconds. */
                until_s: number;
                /** @description Reason why the range was skipped, and whether it will still be analyzed. */
                reason: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description Coverage of each part of the query over the whole session, as in analyses. */
            coverage: ({
                /** @description The part of the query. */
                text: string;
                /** @description `looked_for`, `partly` or `not_looked_for`. */
                status: string;
                /** @description Observers that were used. */
                by: string[];
                /** @description Reason for gaps or limits of the analysis; null: none. */
                reason: string | null;
                /** @description Number of events of the whole session. */
                findings: number;
                /** @description Start of the analyzed part of the stream in seconds from its first frame. */
                from_s: number;
                /** @description End of that part. */
                until_s: number;
                /** @description Analyzed duration in seconds. */
                analysed_s: number;
                /** @description Coverage of each interval, including skipped ranges. */
                intervals: ({
                    /** @description Start in seconds from the first frame of the session. */
                    from_s: number;
                    /** @description End in seconds. */
                    until_s: number;
                    /** @description `looked_for`, `partly` or `not_looked_for`. */
                    status: string;
                    /** @description Observers that were used. */
                    by: string[];
                    /** @description Reason for gaps or limits of the analysis. */
                    reason?: string | null;
                } & {
                    [key: string]: unknown;
                })[];
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A chunk: a few seconds that start with a keyframe.
         * @example {
         *       "chunk_id": "019a0b1c2d3e7f008000000000000070-0",
         *       "chunk_index": 0,
         *       "stream_time": 0,
         *       "hls_cumulative_offset": 0,
         *       "duration_s": 2,
         *       "capture_time": "2026-11-21T09:30:01.250Z",
         *       "size_bytes": 524288,
         *       "discontinuity": false
         *     }
         */
        LiveChunk: {
            /** @description Identifier of the chunk. */
            chunk_id: string;
            /** @description Index of the chunk, from 0. */
            chunk_index: number;
            /** @description Start in seconds from the first frame of the session, gaps included. */
            stream_time: number;
            /** @description Start in the recording in seconds, gaps excluded. */
            hls_cumulative_offset: number;
            /** @description Duration in seconds. */
            duration_s: number;
            /**
             * Format: date-time
             * @description Capture time of the first frame, as stated by the source, else its time of arrival.
             */
            capture_time: string;
            /** @description Size in bytes. */
            size_bytes: number;
            /** @description True if there is a gap or a change of format before the chunk. */
            discontinuity: boolean;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A gap in the recording.
         * @example {
         *       "chunk_index": 12,
         *       "from": "2026-11-21T09:31:00.000Z",
         *       "until": "2026-11-21T09:31:04.500Z",
         *       "reason": "The connection to the source was lost."
         *     }
         */
        LiveGap: {
            /** @description Index of the chunk after the gap; for a gap at the end of the session, the number of chunks. */
            chunk_index: number;
            /**
             * Format: date-time
             * @description Start of the gap.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the gap.
             */
            until: string;
            /** @description Reason why nothing was recorded. */
            reason: string;
        };
        /**
         * @description The query of a session, which applies from the next chunk.
         * @example {
         *       "session_id": "019a0b1c2d3e7f008000000000000070",
         *       "rapid_review_query": "a truck stops in front of the gate\na person near the gate",
         *       "searches": [
         *         "truck stops in front of gate",
         *         "person near gate"
         *       ],
         *       "interpretation": "Understood as: a truck that stops; a person in view; not checked: \"gate\"."
         *     }
         */
        LiveQuery: {
            /** @description Identifier of the session. */
            session_id: string;
            /** @description The complete query of the session. */
            rapid_review_query: string;
            /** @description The parts of the query that are searched for separately. */
            searches: string[];
            /** @description How the query is understood, in one sentence. */
            interpretation: string;
        };
        /**
         * @description A change of the query of a session.
         * @example {
         *       "rapid_review_query": "a person near the gate",
         *       "mode": "add"
         *     }
         */
        LiveQueryChange: {
            /** @description The query. */
            rapid_review_query: string;
            /** @description `replace` (default): replaces the current query; `add`: extends it. */
            mode?: ("replace" | "add" | "") | null;
        };
        /**
         * @description A live session with its chunks and events.
         * @example {
         *       "session_id": "019a0b1c2d3e7f008000000000000070",
         *       "stream_id": "gate-4",
         *       "name": "Gate 4",
         *       "source_url": "rtsp://camera.example/stream1",
         *       "status": "ACTIVE",
         *       "scope": "org",
         *       "folder_id": null,
         *       "created_by": "019a0b1c2d3e7f008000000000000001",
         *       "created_by_display_name": "Ada",
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "started_at": "2026-11-21T09:30:01.250Z",
         *       "ended_at": null,
         *       "error": null,
         *       "message": null,
         *       "rapid_review_query": "a truck stops in front of the gate",
         *       "connected": true,
         *       "chunk_count": 1,
         *       "event_count": 0,
         *       "duration_s": 2,
         *       "size_bytes": 524288,
         *       "video_id": "019a0b1c2d3e7f008000000000000071",
         *       "video_ids": [
         *         "019a0b1c2d3e7f008000000000000071"
         *       ],
         *       "chunks": [
         *         {
         *           "chunk_id": "019a0b1c2d3e7f008000000000000070-0",
         *           "chunk_index": 0,
         *           "stream_time": 0,
         *           "hls_cumulative_offset": 0,
         *           "duration_s": 2,
         *           "capture_time": "2026-11-21T09:30:01.250Z",
         *           "size_bytes": 524288,
         *           "discontinuity": false
         *         }
         *       ],
         *       "gaps": [],
         *       "events": [],
         *       "analysis": {
         *         "state": "running",
         *         "analysed_s": 2,
         *         "behind_s": 0,
         *         "sampling": "full",
         *         "skipped_s": 0,
         *         "skipped": [],
         *         "coverage": [
         *           {
         *             "text": "truck stops",
         *             "status": "looked_for",
         *             "by": [
         *               "objects (yolox_nano)"
         *             ],
         *             "reason": null,
         *             "findings": 0,
         *             "from_s": 0,
         *             "until_s": 2,
         *             "analysed_s": 2,
         *             "intervals": [
         *               {
         *                 "from_s": 0,
         *                 "until_s": 2,
         *                 "status": "looked_for",
         *                 "by": [
         *                   "objects (yolox_nano)"
         *                 ],
         *                 "reason": null
         *               }
         *             ]
         *           }
         *         ]
         *       }
         *     }
         */
        LiveSession: {
            /** @description Identifier of the session. */
            session_id: string;
            /** @description Stream of the session. */
            stream_id: string;
            /** @description Name, for display. */
            name: string;
            /** @description URL of the source, without credentials. */
            source_url: string;
            /**
             * @description `INITIALIZING` until the first chunk is recorded, then `ACTIVE`; `ENDING` while the recording is finalized; at the end `FINISHED`, or `FAILED` if nothing was recorded.
             * @enum {string}
             */
            status: "INITIALIZING" | "ACTIVE" | "ENDING" | "FINISHED" | "FAILED";
            /** @description `user`: visible to its owner and to admins; `org`: visible to everyone in the organization. */
            scope: string;
            /** @description Folder of the recording. */
            folder_id: string | null;
            /** @description The user who started the session. */
            created_by: string;
            /** @description Name of that user. */
            created_by_display_name: string;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601, UTC.
             */
            created_at: string;
            /** @description Capture time of the first frame. */
            started_at: string | null;
            /** @description End of the session. */
            ended_at: string | null;
            /** @description Error code, if the session failed or ended early. */
            error: string | null;
            /** @description The same error as a sentence. */
            message: string | null;
            /** @description Query of the analysis; null: none. */
            rapid_review_query: string | null;
            /** @description True while frames arrive. */
            connected: boolean;
            /** @description Number of recorded chunks. */
            chunk_count: number;
            /** @description Number of events so far. */
            event_count: number;
            /** @description Recorded duration in seconds. */
            duration_s: number;
            /** @description Size of the recording in bytes. */
            size_bytes: number;
            /** @description Identifier of the video of the recording, which is available after the end of the session. */
            video_id: string;
            /** @description Videos of the recording: one, or several if codec or frame size changed during the session. */
            video_ids: string[];
            /** @description The last 100 chunks, in order. */
            chunks: components["schemas"]["LiveChunk"][];
            /** @description Gaps in the recording. */
            gaps: components["schemas"]["LiveGap"][];
            /** @description Events in the order in which they were found; events are only ever added. Each has `event_id`, `chunk_index`, `stream_time`, `capture_time`, `t_start`, `t_end`, `type`, `label`, `description`, `severity`, `confidence`, `ongoing` (true until the end of the event is found; `t_end` is then the latest known time), `cut_start` and `cut_end` (the analysis skipped the range before or after the event, which may be longer), `chunk_relative_time`, and `evidence` with signed URLs of its images. */
            events: {
                [key: string]: unknown;
            }[];
            /** @description Progress of the analysis. */
            analysis: components["schemas"]["LiveAnalysis"] | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A page of live sessions.
         * @example {
         *       "sessions": [
         *         {
         *           "session_id": "019a0b1c2d3e7f008000000000000070",
         *           "stream_id": "gate-4",
         *           "name": "Gate 4",
         *           "source_url": "rtsp://camera.example/stream1",
         *           "status": "ACTIVE",
         *           "scope": "org",
         *           "folder_id": null,
         *           "created_by": "019a0b1c2d3e7f008000000000000001",
         *           "created_by_display_name": "Ada",
         *           "created_at": "2026-11-21T09:30:00.000Z",
         *           "started_at": "2026-11-21T09:30:01.250Z",
         *           "ended_at": null,
         *           "error": null,
         *           "message": null,
         *           "rapid_review_query": "a truck stops in front of the gate",
         *           "connected": true,
         *           "chunk_count": 1,
         *           "event_count": 0,
         *           "duration_s": 2,
         *           "size_bytes": 524288,
         *           "video_id": "019a0b1c2d3e7f008000000000000071"
         *         }
         *       ],
         *       "has_more": false,
         *       "next_cursor": null
         *     }
         */
        LiveSessionList: {
            /** @description Sessions, newest first. */
            sessions: components["schemas"]["LiveSessionSummary"][];
            /** @description True if more sessions follow. */
            has_more: boolean;
            /** @description Value of `cursor` for the next page. */
            next_cursor: string | null;
        };
        /**
         * @description A live session.
         * @example {
         *       "session_id": "019a0b1c2d3e7f008000000000000070",
         *       "stream_id": "gate-4",
         *       "name": "Gate 4",
         *       "source_url": "rtsp://camera.example/stream1",
         *       "status": "ACTIVE",
         *       "scope": "org",
         *       "folder_id": null,
         *       "created_by": "019a0b1c2d3e7f008000000000000001",
         *       "created_by_display_name": "Ada",
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "started_at": "2026-11-21T09:30:01.250Z",
         *       "ended_at": null,
         *       "error": null,
         *       "message": null,
         *       "rapid_review_query": "a truck stops in front of the gate",
         *       "connected": true,
         *       "chunk_count": 1,
         *       "event_count": 0,
         *       "duration_s": 2,
         *       "size_bytes": 524288,
         *       "video_id": "019a0b1c2d3e7f008000000000000071"
         *     }
         */
        LiveSessionSummary: {
            /** @description Identifier of the session. */
            session_id: string;
            /** @description Stream of the session. */
            stream_id: string;
            /** @description Name, for display. */
            name: string;
            /** @description URL of the source, without credentials. */
            source_url: string;
            /**
             * @description `INITIALIZING` until the first chunk is recorded, then `ACTIVE`; `ENDING` while the recording is finalized; at the end `FINISHED`, or `FAILED` if nothing was recorded.
             * @enum {string}
             */
            status: "INITIALIZING" | "ACTIVE" | "ENDING" | "FINISHED" | "FAILED";
            /** @description `user`: visible to its owner and to admins; `org`: visible to everyone in the organization. */
            scope: string;
            /** @description Folder of the recording. */
            folder_id: string | null;
            /** @description The user who started the session. */
            created_by: string;
            /** @description Name of that user. */
            created_by_display_name: string;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601, UTC.
             */
            created_at: string;
            /** @description Capture time of the first frame. */
            started_at: string | null;
            /** @description End of the session. */
            ended_at: string | null;
            /** @description Error code, if the session failed or ended early. */
            error: string | null;
            /** @description The same error as a sentence. */
            message: string | null;
            /** @description Query of the analysis; null: none. */
            rapid_review_query: string | null;
            /** @description True while frames arrive. */
            connected: boolean;
            /** @description Number of recorded chunks. */
            chunk_count: number;
            /** @description Number of events so far. */
            event_count: number;
            /** @description Recorded duration in seconds. */
            duration_s: number;
            /** @description Size of the recording in bytes. */
            size_bytes: number;
            /** @description Identifier of the video of the recording, which is available after the end of the session. */
            video_id: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description The session to end.
         * @example {
         *       "stream_id": "gate-4",
         *       "session_id": "019a0b1c2d3e7f008000000000000070"
         *     }
         */
        LiveSessionToEnd: {
            /** @description Identifier of the stream. */
            stream_id: string;
            /** @description Identifier of the session. */
            session_id: string;
        };
        /**
         * @description Recordings in a bucket.
         * @example {
         *       "integration_id": "019a0b1c2d3e7f008000000000000040",
         *       "files": [
         *         {
         *           "key": "drives/2026-11-21.mcap",
         *           "filename": "drive.mcap"
         *         }
         *       ],
         *       "chunk_size": 600
         *     }
         */
        McapFilesToImport: {
            /** @description Integration that opens the bucket, of any type. */
            integration_id: string;
            /** @description Recordings, 1 to 100; each becomes an ingest. */
            files: {
                /** @description Key of the object in the bucket. */
                key: string;
                /** @description Name of the recording. Default: the last segment of the key. */
                filename?: string | null;
            }[];
            /** @description If true, files that were already imported in the same version are imported again. Default false. */
            force?: boolean | null;
            /** @description Folder of the videos. */
            folder_id?: string | null;
            /** @description Visibility of the videos: `user` (only you) or `org` (your organization). Default: the scope of the folder, else `user`. */
            scope?: ("user" | "org") | null;
            /** @description Seconds, 10 to 86400. Splits long recordings: each channel becomes one video per range of this length. Encoded video is split at keyframes. Default: one video per channel. */
            chunk_size?: number | null;
        };
        /**
         * @description An import of recordings.
         * @example {
         *       "mcap_import_job_id": "019a0b1c2d3e7f008000000000000070",
         *       "status": "completed",
         *       "error": null,
         *       "total": 1,
         *       "skipped": 0,
         *       "ingests": [
         *         {
         *           "mcap_ingest_id": "019a0b1c2d3e7f008000000000000060",
         *           "filename": "drive.mcap",
         *           "key": "drives/2026-11-21.mcap",
         *           "status": "completed",
         *           "skipped": null,
         *           "error": null,
         *           "video_ids": [
         *             "019a0b1c2d3e7f008000000000000061"
         *           ]
         *         }
         *       ],
         *       "video_ids": [
         *         "019a0b1c2d3e7f008000000000000061"
         *       ],
         *       "created_at": "2026-11-21T09:31:00.000Z"
         *     }
         */
        McapImportJob: {
            /** @description Identifier of the import job. */
            mcap_import_job_id: string;
            /** @description `transferring` until all files are stored, `processing` until their videos exist; then `completed`, `partial` or `failed`. */
            status: string;
            /** @description File that failed, with the reason. */
            error: string | null;
            /** @description Number of files. */
            total: number;
            /** @description Number of files that an earlier import had already imported. */
            skipped: number;
            /** @description Files of the import. */
            ingests: ({
                /** @description Id of the ingest (`/api/mcap/{ingest_id}`). */
                mcap_ingest_id: string;
                /** @description Name of the recording. */
                filename: string;
                /** @description Key of the object in the bucket. */
                key: string;
                /** @description `created` (waits for its file), `transferring`, `uploaded` (waits to be processed), `processing`; then `completed`, `partial` (some data could not be read, see `error` and `recording.lost`) or `failed`. */
                status: string;
                /** @description `already imported` if this is the ingest of an earlier import of the object. Else null. */
                skipped: "already imported" | null;
                /** @description Reason why the file failed. */
                error: string | null;
                /** @description Ids of its completed videos. */
                video_ids: string[];
            } & {
                [key: string]: unknown;
            })[];
            /** @description Ids of all completed videos. */
            video_ids: string[];
            /**
             * Format: date-time
             * @description Time of the request, ISO 8601, UTC.
             */
            created_at: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description An ingest with the views of its recording.
         * @example {
         *       "mcap_ingest_id": "019a0b1c2d3e7f008000000000000060",
         *       "status": "completed",
         *       "error": null,
         *       "error_code": null,
         *       "filename": "drive.mcap",
         *       "source_uri": "mcap://019a0b1c2d3e7f008000000000000060/drive.mcap",
         *       "size_bytes": 734003200,
         *       "sha256": null,
         *       "folder_id": null,
         *       "scope": "user",
         *       "chunk_size": null,
         *       "derived_videos": [
         *         {
         *           "video_id": "019a0b1c2d3e7f008000000000000061",
         *           "channel": "/camera/front",
         *           "channel_name": "/camera/front",
         *           "role": "front",
         *           "label": null,
         *           "part": 0,
         *           "status": "completed",
         *           "error": null,
         *           "offset_s": 0,
         *           "start_time": "2026-11-21T09:30:00.000Z",
         *           "duration_s": 59.9,
         *           "frame_count": 600,
         *           "drift_ppm": 12.5,
         *           "gaps": [],
         *           "reencoded": false,
         *           "notes": []
         *         }
         *       ],
         *       "views": {
         *         "front": "019a0b1c2d3e7f008000000000000061"
         *       },
         *       "primary_view_id": "019a0b1c2d3e7f008000000000000061",
         *       "videos": [
         *         {
         *           "video_id": "019a0b1c2d3e7f008000000000000061",
         *           "channel": "/camera/front",
         *           "channel_name": "/camera/front",
         *           "role": "front",
         *           "label": null,
         *           "part": 0,
         *           "status": "completed",
         *           "error": null,
         *           "offset_s": 0,
         *           "start_time": "2026-11-21T09:30:00.000Z",
         *           "duration_s": 59.9,
         *           "frame_count": 600,
         *           "drift_ppm": 12.5,
         *           "gaps": [],
         *           "reencoded": false,
         *           "notes": []
         *         }
         *       ],
         *       "video_ids": [
         *         "019a0b1c2d3e7f008000000000000061"
         *       ],
         *       "videos_by_channel": {
         *         "/camera/front": "019a0b1c2d3e7f008000000000000061"
         *       },
         *       "videos_by_role": {
         *         "front": "019a0b1c2d3e7f008000000000000061"
         *       },
         *       "primary_video_id": "019a0b1c2d3e7f008000000000000061",
         *       "video_id": "019a0b1c2d3e7f008000000000000061",
         *       "recording": {
         *         "start_time": "2026-11-21T09:29:59.000Z",
         *         "duration_s": 61.2,
         *         "indexed": true,
         *         "channels": [
         *           {
         *             "name": "/camera/front",
         *             "topic": "/camera/front",
         *             "schema": "foxglove.CompressedVideo",
         *             "messages": 600,
         *             "pictures": true
         *           }
         *         ],
         *         "telemetry": {
         *           "speedMps": "/vehicle/speed"
         *         },
         *         "notes": [],
         *         "lost": []
         *       },
         *       "created_at": "2026-11-21T09:31:00.000Z",
         *       "completed_at": "2026-11-21T09:31:20.000Z"
         *     }
         */
        McapIngest: {
            /** @description Identifier of the ingest. */
            mcap_ingest_id: string;
            /** @description `created` (waits for its file), `transferring`, `uploaded` (waits to be processed), `processing`; then `completed`, `partial` (some data could not be read, see `error` and `recording.lost`) or `failed`. */
            status: string;
            /** @description Reason for `failed` or `partial`. */
            error: string | null;
            /** @description Error code of `error`. */
            error_code: string | null;
            /** @description Name of the file. */
            filename: string;
            /** @description URI of the recording. */
            source_uri: string;
            /** @description Size of the file in bytes. */
            size_bytes: number | null;
            /** @description Folder of its videos. */
            folder_id: string | null;
            /** @description `user` or `org`. */
            scope: string;
            /**
             * Format: date-time
             * @description Creation time of the ingest, ISO 8601, UTC.
             */
            created_at: string;
            /** @description End time, ISO 8601, UTC. */
            completed_at: string | null;
            /** @description SHA-256 of the file. */
            sha256: string | null;
            /** @description Length of the ranges in seconds; null if the recording is not split. */
            chunk_size: number | null;
            /** @description Result of each image channel, or of each range of it. */
            derived_videos: components["schemas"]["DerivedVideo"][];
            /** @description Video ids by role. For a recording that was split: those of its first range. */
            views: {
                [key: string]: string;
            };
            /** @description Video of the primary view. */
            primary_view_id: string | null;
            /** @description The completed `derived_videos`. */
            videos: components["schemas"]["DerivedVideo"][];
            /** @description Ids of `videos`. */
            video_ids: string[];
            /** @description Video ids by channel; the first if a channel has several. */
            videos_by_channel: {
                [key: string]: string;
            };
            /** @description Video ids by role. For a recording that was split: those of its first range. */
            videos_by_role: {
                [key: string]: string;
            };
            /** @description Same as `primary_view_id`. */
            primary_video_id: string | null;
            /** @description Same as `primary_view_id`. */
            video_id: string | null;
            /** @description Content of the recording; null until it was read. */
            recording: {
                /** @description Log time of the first message, ISO 8601, UTC, by the recorder's clock. */
                start_time: string | null;
                /** @description Time from the first message to the last, in seconds. */
                duration_s: number | null;
                /** @description True if the file has a usable index. */
                indexed: boolean;
                /** @description All channels. */
                channels: {
                    /** @description Topic, or `topic#id` if several channels have the same topic. */
                    name: string;
                    /** @description Topic. */
                    topic: string;
                    /** @description Type of its messages. */
                    schema: string;
                    /** @description Number of messages; null if unknown. */
                    messages: number | null;
                    /** @description True if its messages are images or video. */
                    pictures: boolean;
                }[];
                /** @description Channel of each measurement (`speedMps`, …). Prompts on the videos can use measurements. */
                telemetry: {
                    [key: string]: string;
                };
                /** @description Limits of the telemetry. */
                notes: string[];
                /** @description Ranges of the recording that could not be read. */
                lost: {
                    /** @description Channel of the lost messages; null: all channels. */
                    channel: string | null;
                    /** @description Start, in seconds after the first message; null: the start of the recording. */
                    from_s: number | null;
                    /** @description End, in seconds after the first message; null: the end of the recording. */
                    until_s: number | null;
                    /** @description Reason. */
                    reason: string;
                }[];
            } | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A page of ingests.
         * @example {
         *       "ingests": [
         *         {
         *           "mcap_ingest_id": "019a0b1c2d3e7f008000000000000031",
         *           "status": "completed",
         *           "error": null,
         *           "error_code": null,
         *           "filename": "drive.mcap",
         *           "source_uri": "mcap://drive.mcap",
         *           "size_bytes": 48120331,
         *           "folder_id": null,
         *           "scope": "user",
         *           "created_at": "2026-11-21T09:30:00.000Z",
         *           "completed_at": "2026-11-21T09:31:00.000Z"
         *         }
         *       ],
         *       "has_more": false,
         *       "next_cursor": null
         *     }
         */
        McapIngestList: {
            /** @description Ingests, newest first. */
            ingests: {
                /** @description Identifier of the ingest. */
                mcap_ingest_id: string;
                /** @description `created` (waits for its file), `transferring`, `uploaded` (waits to be processed), `processing`; then `completed`, `partial` (some data could not be read, see `error` and `recording.lost`) or `failed`. */
                status: string;
                /** @description Reason for `failed` or `partial`. */
                error: string | null;
                /** @description Error code of `error`. */
                error_code: string | null;
                /** @description Name of the file. */
                filename: string;
                /** @description URI of the recording. */
                source_uri: string;
                /** @description Size of the file in bytes. */
                size_bytes: number | null;
                /** @description Folder of its videos. */
                folder_id: string | null;
                /** @description `user` or `org`. */
                scope: string;
                /**
                 * Format: date-time
                 * @description Creation time of the ingest, ISO 8601, UTC.
                 */
                created_at: string;
                /** @description End time, ISO 8601, UTC. */
                completed_at: string | null;
            }[];
            /** @description True if there are older ones. */
            has_more: boolean;
            /** @description Value of `cursor` for the next page. */
            next_cursor: string | null;
        };
        /**
         * @description A JSON-RPC message of the Model Context Protocol.
         * @example {
         *       "jsonrpc": "2.0",
         *       "id": 1,
         *       "method": "tools/list"
         *     }
         */
        McpMessage: {
            /**
             * @description Version of JSON-RPC.
             * @enum {string}
             */
            jsonrpc: "2.0";
            /** @description Identifier of the request; absent in notifications. */
            id?: string | number;
            /** @description Method, such as `tools/list`. */
            method: string;
            /** @description Parameters of the method, with `_meta`. */
            params?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description The JSON-RPC response to a message.
         * @example {
         *       "jsonrpc": "2.0",
         *       "id": 1,
         *       "result": {
         *         "tools": []
         *       }
         *     }
         */
        McpResponse: {
            /**
             * @description Version of JSON-RPC.
             * @enum {string}
             */
            jsonrpc: "2.0";
            /** @description Identifier of the request. */
            id: string | number;
            /** @description Result of the method. */
            result?: {
                [key: string]: unknown;
            };
            /** @description Code and message of a failure of the protocol. */
            error?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description A member of the organization.
         * @example {
         *       "user_id": "019a0b1c2d3e7f008000000000000001",
         *       "email": "ada@example.com",
         *       "name": "Ada",
         *       "role": "member",
         *       "joined_at": "2026-11-21T09:30:00.000Z",
         *       "has_password": true,
         *       "has_sso": false
         *     }
         */
        Member: {
            /** @description Identifier of the user. */
            user_id: string;
            /** @description E-mail address of the user. */
            email: string;
            /** @description Name of the user. */
            name: string;
            /**
             * @description `member`: reads and writes; `admin`: also manages keys and members; `owner`: also manages owners and admins.
             * @enum {string}
             */
            role: "owner" | "admin" | "member";
            /**
             * Format: date-time
             * @description Time when the user joined, ISO 8601, UTC.
             */
            joined_at: string;
            /** @description True if the user can sign in with a password. */
            has_password: boolean;
            /** @description True if the user can sign in by single sign-on. */
            has_sso: boolean;
        };
        /**
         * @description A page of members.
         * @example {
         *       "members": [
         *         {
         *           "user_id": "019a0b1c2d3e7f008000000000000001",
         *           "email": "ada@example.com",
         *           "name": "Ada",
         *           "role": "member",
         *           "joined_at": "2026-11-21T09:30:00.000Z",
         *           "has_password": true,
         *           "has_sso": false
         *         }
         *       ],
         *       "has_more": false,
         *       "next_cursor": null
         *     }
         */
        MemberList: {
            /** @description Members, in the order in which they joined. */
            members: components["schemas"]["Member"][];
            /** @description True if more members follow. */
            has_more: boolean;
            /** @description Value of `cursor` for the next page. */
            next_cursor: string | null;
        };
        /**
         * @description A model that the engine can use.
         * @example {
         *       "name": "yolox_nano",
         *       "title": "YOLOX-Nano",
         *       "task": "objects",
         *       "adds": "Finds and tracks people, vehicles, animals and other objects of 80 classes.",
         *       "contract": "images: 1 × 3 × height × width float32; output: 1 × cells × 85 float32.",
         *       "cost": "1 for each frame, five frames a second",
         *       "is_default": true,
         *       "license": {
         *         "name": "Apache-2.0",
         *         "url": "https://github.com/Megvii-BaseDetection/YOLOX/blob/main/LICENSE"
         *       },
         *       "size_bytes": 3659407,
         *       "status": "downloading",
         *       "verified": null,
         *       "bytes_done": 1048576,
         *       "problem": null,
         *       "files": [
         *         {
         *           "name": "yolox_nano.onnx",
         *           "size_bytes": 3659407,
         *           "sha256": "c789161ed43c8269fcd4e67c67eeeb4e80c622da2eb296a20bc6007bd18a0b7d",
         *           "installed_sha256": null,
         *           "urls": [
         *             "https://github.com/Megvii-BaseDetection/YOLOX/releases/download/0.1.1rc0/yolox_nano.onnx"
         *           ]
         *         }
         *       ]
         *     }
         */
        Model: {
            /** @description Name of the model. */
            name: string;
            /** @description Name by which its publisher calls it. */
            title: string;
            /**
             * @description `objects`: detects objects; `sounds`: recognizes sounds; `speech`: recognizes words; `text`: reads text.
             * @enum {string}
             */
            task: "objects" | "sounds" | "speech" | "text";
            /** @description What it adds to answers. */
            adds: string;
            /** @description Inputs and outputs that the engine expects, also of another file. */
            contract: string;
            /** @description Measured computation, in frames of the default detector. */
            cost: string;
            /** @description True for the model of its task that is downloaded on the first start. */
            is_default: boolean;
            /** @description License of the weights. */
            license: {
                /** @description Name of the license. */
                name: string;
                /** @description Text of the license. */
                url: string;
            };
            /** @description Size of all files in bytes. */
            size_bytes: number;
            /**
             * @description `ready`: all files are there; `downloading`; `failed` (see `problem`) or `canceled`: the latest download; `missing`.
             * @enum {string}
             */
            status: "missing" | "downloading" | "failed" | "canceled" | "ready";
            /** @description False if a file is not the published one but was provided; null if files are missing. */
            verified: boolean | null;
            /** @description Bytes that the running download has received. */
            bytes_done: number;
            /** @description Reason of a failed download. */
            problem: {
                /** @description Stable code of the error. */
                code: string;
                /** @description What happened, and what to do. */
                message: string;
            } | null;
            /** @description Files of the model. */
            files: {
                /** @description Name in the models folder. */
                name: string;
                /** @description Size of the published file in bytes. */
                size_bytes: number;
                /** @description SHA-256 of the published file, hexadecimal. */
                sha256: string;
                /** @description SHA-256 of the installed file; null if none is installed. */
                installed_sha256: string | null;
                /** @description Where the file is downloaded from, in order; empty if it is not published in this form. */
                urls: string[];
            }[];
        };
        /**
         * @description Models that the engine can use.
         * @example {
         *       "downloads_allowed": true,
         *       "models": [
         *         {
         *           "name": "yolox_nano",
         *           "title": "YOLOX-Nano",
         *           "task": "objects",
         *           "adds": "Finds and tracks people, vehicles, animals and other objects of 80 classes.",
         *           "contract": "images: 1 × 3 × height × width float32; output: 1 × cells × 85 float32.",
         *           "cost": "1 for each frame, five frames a second",
         *           "is_default": true,
         *           "license": {
         *             "name": "Apache-2.0",
         *             "url": "https://github.com/Megvii-BaseDetection/YOLOX/blob/main/LICENSE"
         *           },
         *           "size_bytes": 3659407,
         *           "status": "downloading",
         *           "verified": null,
         *           "bytes_done": 1048576,
         *           "problem": null,
         *           "files": [
         *             {
         *               "name": "yolox_nano.onnx",
         *               "size_bytes": 3659407,
         *               "sha256": "c789161ed43c8269fcd4e67c67eeeb4e80c622da2eb296a20bc6007bd18a0b7d",
         *               "installed_sha256": null,
         *               "urls": [
         *                 "https://github.com/Megvii-BaseDetection/YOLOX/releases/download/0.1.1rc0/yolox_nano.onnx"
         *               ]
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        ModelList: {
            /** @description False if the operator has turned downloads off (`SIGHTLINE_MODELS_DOWNLOAD`). */
            downloads_allowed: boolean;
            /** @description All models, the default ones first. */
            models: components["schemas"]["Model"][];
        };
        /**
         * @description The model to download.
         * @example {
         *       "name": "yolox_nano"
         *     }
         */
        ModelToDownload: {
            /**
             * @description Name of the model.
             * @example yolox_nano
             */
            name: string;
        };
        /**
         * @description A key to create.
         * @example {
         *       "name": "robot",
         *       "scopes": [
         *         "read",
         *         "write"
         *       ],
         *       "expires_in_days": 90
         *     }
         */
        NewApiKey: {
            /** @description Name of the key. */
            name: string;
            /** @description Scopes; default: `read` and `write`. */
            scopes?: ("read" | "write" | "admin")[] | null;
            /** @description Days until the key expires; default: 90. The operator sets the maximum (`SIGHTLINE_MAX_KEY_DAYS`). */
            expires_in_days?: number | null;
            /** @description Limits the key to this folder: it can access only the videos in it and their analyses, uploads and playback. Not for keys with the scope `admin`. */
            folder_id?: string | null;
        };
        /**
         * @description File to upload.
         * @example {
         *       "size_bytes": 104857600,
         *       "filename": "junction.mp4"
         *     }
         */
        NewDirectUpload: {
            /** @description Size of the whole file in bytes. */
            size_bytes: number;
            /** @description Name of the file; becomes the name of the video. */
            filename?: string | null;
            /** @description Name of the video, instead of its file name. */
            custom_name?: string | null;
            /** @description SHA-256 of the file as 64 hexadecimal digits. A file with another digest is refused. */
            sha256?: string | null;
            /** @description Visibility: `user`, to you only; `org`, to the organization. Default: the scope of the folder, else `user`. */
            scope?: ("user" | "org") | null;
            /** @description Folder for the video. */
            folder_id?: string | null;
        };
        /**
         * @description An event that the analysis missed. Without a severity it is `medium`.
         * @example {
         *       "label": "A cyclist crosses",
         *       "start_s": 12.3,
         *       "end_s": 15
         *     }
         */
        NewEvent: {
            /** @description Short description of the event. */
            label: string;
            /** @description Start in seconds from the first frame. */
            start_s: number;
            /** @description End in seconds from the first frame. */
            end_s: number;
            /**
             * @description Severity of the event.
             * @enum {string}
             */
            severity?: "low" | "medium" | "high";
            /** @description Note of the reviewers; null removes it. */
            note?: string | null;
        };
        /**
         * @description A folder to create. Without a scope it is personal.
         * @example {
         *       "name": "Night drives",
         *       "scope": "org",
         *       "description": "Collected in Lisbon"
         *     }
         */
        NewFolder: {
            /** @description The name, unique per scope. Surrounding spaces are removed. */
            name: string;
            /** @description `user`: a personal folder, visible to its owner only; `org`: visible to everyone in the organization. */
            scope?: ("user" | "org") | null;
            /** @description Purpose of the folder. */
            description?: string | null;
            /** @description Number of days after the start of the upload when a video of this folder is deleted; null: never. */
            retention_days?: number | null;
            /** @description Profile of the vision-language model for queries on videos of this folder; null: that of the service. */
            vision_profile?: string | null;
        };
        /**
         * @description A bucket of Google Cloud Storage.
         * @example {
         *       "name": "Fleet recordings",
         *       "type": "gcs",
         *       "service_account": {
         *         "type": "service_account",
         *         "client_email": "reader@example.iam.gserviceaccount.com",
         *         "private_key": "-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n"
         *       },
         *       "bucket": "fleet-recordings",
         *       "prefix": "drives/"
         *     }
         */
        NewGcsIntegration: {
            /** @description Display name. */
            name: string;
            /** @description Optional; always `gcs`. */
            type?: "gcs" | null;
            /** @description Who may use the integration: `org` (everyone in the organization, the default) or `user` (only you). */
            scope?: ("user" | "org") | null;
            service_account: components["schemas"]["ServiceAccountKey"];
            /** @description Name of the bucket; for Hugging Face, `namespace/name`. */
            bucket: string;
            /** @description Default prefix of previews and imports. */
            prefix?: string | null;
            /** @description URL of a compatible server, such as MinIO or R2. Default: the server of the provider. Private addresses require that the operator allows them. */
            endpoint_url?: string | null;
        };
        /**
         * @description A bucket of the Hugging Face hub.
         * @example {
         *       "name": "Open drives",
         *       "type": "hf_bucket",
         *       "token": "hf_…",
         *       "bucket": "example/drives"
         *     }
         */
        NewHuggingFaceIntegration: {
            /** @description Display name. */
            name: string;
            /** @description Optional; always `hf_bucket`. */
            type?: "hf_bucket" | null;
            /** @description Who may use the integration: `org` (everyone in the organization, the default) or `user` (only you). */
            scope?: ("user" | "org") | null;
            /** @description Hugging Face token (`hf_…`) with read access. */
            token: string;
            /** @description Name of the bucket; for Hugging Face, `namespace/name`. */
            bucket: string;
            /** @description Default prefix of previews and imports. */
            prefix?: string | null;
            /** @description URL of a compatible server, such as MinIO or R2. Default: the server of the provider. Private addresses require that the operator allows them. */
            endpoint_url?: string | null;
        };
        /**
         * @description A selection to import on a schedule.
         * @example {
         *       "integration_id": "019a0b1c2d3e7f008000000000000021",
         *       "prefix": "drives/",
         *       "every_minutes": 15,
         *       "scope": "org"
         *     }
         */
        NewImportSync: {
            /** @description Integration that opens the bucket. */
            integration_id: string;
            /** @description Import objects whose key starts with this prefix. Default: the prefix of the integration. */
            prefix?: string | null;
            /** @description Only import objects whose key matches one of these patterns: `*` matches within a folder, `**` across folders, `?` one character. */
            include?: string[] | null;
            /** @description Skip objects whose key matches one of these patterns. */
            exclude?: string[] | null;
            /** @description Folder of the videos. */
            folder_id?: string | null;
            /** @description Visibility of the videos: `user` (only you) or `org` (your organization). Default: the scope of the folder, else `user`. */
            scope?: ("user" | "org") | null;
            /** @description If true, the telemetry file beside each video (same name with the extension `.json`, `.csv` or `.srt`) is imported with it. Default false. */
            sidecars?: boolean | null;
            /** @description Interval between runs in minutes. Default 60. */
            every_minutes?: number | null;
        };
        /**
         * @description An invitation to create.
         * @example {
         *       "email": "grace@example.com",
         *       "role": "member",
         *       "expires_in_days": 7
         *     }
         */
        NewInvitation: {
            /** @description E-mail address. */
            email: string;
            /**
             * @description `member`: reads and writes; `admin`: also manages keys and members; `owner`: also manages owners and admins.
             * @enum {string}
             */
            role: "owner" | "admin" | "member";
            /** @description Days until the link expires; default: 7. */
            expires_in_days?: number | null;
        };
        /**
         * @description A live session to start.
         * @example {
         *       "source_url": "rtsp://camera.example/stream1",
         *       "name": "Gate 4",
         *       "stream_id": "gate-4",
         *       "rapid_review_query": "a truck stops in front of the gate"
         *     }
         */
        NewLiveSession: {
            /** @description URL of the stream: HLS, MJPEG or a growing file by `http` or `https`, or `rtsp`, `rtsps`, `rtmp`, `rtmps`, `srt`. It may contain a user name and a password, which are stored encrypted and never returned. */
            source_url: string;
            /** @description Name, for display. */
            name: string;
            /** @description Stream of the session, which groups sessions of the same source. Default: a new stream. */
            stream_id?: (string | "") | null;
            /** @description Query for the analysis during the session. */
            rapid_review_query?: string | null;
            /** @description Folder of the recording. */
            folder_id?: string | null;
            /** @description `user` (default): you can access the session and its recording; `org`: everyone in the organization can. In a folder, the scope is that of the folder. */
            scope?: ("user" | "org" | "") | null;
            /** @description Number of days after its end when a recording of the stream is deleted: those of its owner and those shared with the organization. Default: never. Only the owner of the stream, who used it first, or an admin can change it. */
            retention_days?: (number | string) | null;
        };
        /**
         * @description A stream to create or change.
         * @example {
         *       "stream_id": "gate-4",
         *       "stream_name": "Gate 4",
         *       "source_url": "rtsp://camera.example/stream1"
         *     }
         */
        NewLiveStream: {
            stream_id: string;
            /** @description Name, for display. */
            stream_name: string;
            /** @description URL of the stream: HLS, MJPEG or a growing file by `http` or `https`, or `rtsp`, `rtsps`, `rtmp`, `rtmps`, `srt`. It may contain a user name and a password, which are stored encrypted and never returned. */
            source_url: string;
            /** @description Number of days after its end when a recording of the stream is deleted: those of its owner and those shared with the organization. Default: never. Only the owner of the stream, who used it first, or an admin can change it. */
            retention_days?: (number | string) | null;
        };
        /**
         * @description A recording to upload.
         * @example {
         *       "filename": "drive.mcap",
         *       "size_bytes": 734003200,
         *       "chunk_size": 600
         *     }
         */
        NewMcapIngest: {
            /** @description Name of the file. */
            filename: string;
            /** @description Exact size of the file in bytes. */
            size_bytes: number;
            /** @description SHA-256 of the file, hexadecimal. A file that does not match is rejected. */
            sha256?: string | null;
            /** @description Accepted for existing clients; ignored. */
            content_type?: string | null;
            /** @description Folder of the videos. */
            folder_id?: string | null;
            /** @description Visibility of the videos: `user` (only you) or `org` (your organization). Default: the scope of the folder, else `user`. */
            scope?: ("user" | "org") | null;
            /** @description Seconds, 10 to 86400. Splits long recordings: each channel becomes one video per range of this length. Encoded video is split at keyframes. Default: one video per channel. */
            chunk_size?: number | null;
        };
        /**
         * @description A bucket of S3 that is read by assuming a role; no keys are stored.
         * @example {
         *       "name": "Partner recordings",
         *       "bucket": "partner-recordings",
         *       "role_arn": "arn:aws:iam::123456789012:role/sightline-reader",
         *       "region": "eu-central-1"
         *     }
         */
        NewRoleIntegration: {
            /** @description Display name. */
            name: string;
            /** @description Optional; always `s3_storage_transfer`. */
            type?: "s3_storage_transfer" | null;
            /** @description Who may use the integration: `org` (everyone in the organization, the default) or `user` (only you). */
            scope?: ("user" | "org") | null;
            /** @description Name of the bucket; for Hugging Face, `namespace/name`. */
            bucket: string;
            /** @description Role to assume. Its trust policy must be the one that the setup returns. */
            role_arn: string;
            /** @description Default prefix of previews and imports. */
            prefix?: string | null;
            /** @description Region of the bucket, such as `eu-central-1`. */
            region?: string | null;
            /** @description URL of a compatible server, such as MinIO or R2. Default: the server of the provider. Private addresses require that the operator allows them. */
            endpoint_url?: string | null;
            /** @description Position of the bucket name in URLs: `path` (`endpoint/bucket/key`) or `virtual` (`bucket.endpoint/key`). Default: `path` with an `endpoint_url`, else `virtual`. */
            addressing?: ("path" | "virtual") | null;
        };
        /**
         * @description A bucket of S3 or a compatible server. `region` is required without an `endpoint_url`.
         * @example {
         *       "name": "Fleet recordings",
         *       "type": "s3",
         *       "access_key_id": "AKIAEXAMPLE",
         *       "secret_access_key": "the secret",
         *       "region": "eu-central-1",
         *       "bucket": "fleet-recordings"
         *     }
         */
        NewS3Integration: {
            /** @description Display name. */
            name: string;
            /** @description Optional; always `s3`. */
            type?: "s3" | null;
            /** @description Who may use the integration: `org` (everyone in the organization, the default) or `user` (only you). */
            scope?: ("user" | "org") | null;
            /** @description Access key id. */
            access_key_id: string;
            /** @description Secret access key. */
            secret_access_key: string;
            /** @description Session token of temporary keys. */
            session_token?: string | null;
            /** @description Region of the bucket, such as `eu-central-1`. */
            region?: string | null;
            /** @description URL of a compatible server, such as MinIO or R2. Default: the server of the provider. Private addresses require that the operator allows them. */
            endpoint_url?: string | null;
            /** @description Position of the bucket name in URLs: `path` (`endpoint/bucket/key`) or `virtual` (`bucket.endpoint/key`). Default: `path` with an `endpoint_url`, else `virtual`. */
            addressing?: ("path" | "virtual") | null;
            /** @description Name of the bucket; for Hugging Face, `namespace/name`. */
            bucket: string;
            /** @description Default prefix of previews and imports. */
            prefix?: string | null;
        };
        /**
         * @description A search among the events of a folder.
         * @example {
         *       "query": "red car from the left",
         *       "folder_name": "Night drives",
         *       "scope": "org"
         *     }
         */
        NewSearch: {
            /** @description Words to search for; at most 1,000 characters. */
            query: string;
            /** @description Name of the folder whose videos are searched. */
            folder_name: string;
            /** @description Scope of the folder: `my` (or `user`), `org`, or `sample` for the folder of samples, whatever its name. Default: your personal folder with this name if there is one, else that of the organization. */
            scope?: ("my" | "user" | "org" | "sample") | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Videos of one event from several cameras.
         * @example {
         *       "primary_view_id": "019a0b1c2d3e7f008000000000000061",
         *       "views": {
         *         "front": "019a0b1c2d3e7f008000000000000061",
         *         "rear": "019a0b1c2d3e7f008000000000000062"
         *       },
         *       "offsets": {
         *         "rear": 0.25
         *       }
         *     }
         */
        NewViewSet: {
            /** @description Video of the primary view. */
            primary_view_id: string;
            /** @description Videos by role, such as `front`, `rear`, `left`, `right`, `top`, `bottom`; each role and video once. */
            views: {
                [key: string]: string;
            };
            /** @description Display labels by role. An omitted role retains the label of its video; an empty label or null removes it. */
            labels?: {
                [key: string]: string | null;
            } | null;
            /** @description Time of the first frame by role, in seconds after the first frame of the primary. Default: the difference of the creation times in the files, or 0 if they have none. */
            offsets?: {
                [key: string]: number;
            } | null;
        };
        /**
         * @description Your organization.
         * @example {
         *       "org_id": "019a0b1c2d3e7f008000000000000000",
         *       "name": "Example Robotics",
         *       "created_at": "2026-11-21T09:30:00.000Z"
         *     }
         */
        Organization: {
            /** @description Identifier of the organization. */
            org_id: string;
            /** @description Name of the organization. */
            name: string;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601, UTC.
             */
            created_at: string;
        };
        /**
         * @description Changes to the organization.
         * @example {
         *       "name": "Example Robotics"
         *     }
         */
        OrganizationChanges: {
            /** @description The new name. */
            name: string;
        };
        /**
         * @description Fields to fill for each event or video.
         * @example {
         *       "scope": "event",
         *       "fields": [
         *         {
         *           "name": "kind",
         *           "type": "enum",
         *           "values": [
         *             "person",
         *             "vehicle"
         *           ]
         *         }
         *       ]
         *     }
         */
        OutputSchema: {
            label?: string | null;
            /**
             * @description One payload per event (default) or per video.
             * @enum {string}
             */
            scope?: "event" | "video";
            /** @description Default: 1. */
            version?: number;
            /** @description The fields. */
            fields: {
                /** @description Unique: `^[a-z][a-z0-9_]*$`; upper case is lowered. */
                name: string;
                /**
                 * @description Type of the value; default `text`.
                 * @enum {unknown}
                 */
                type?: "enum" | "text" | "number" | "boolean" | "time_range";
                description?: string | null;
                values?: string[] | null;
                /** @description True: the value is a list. Default: true for `time_range`, else false. */
                repeated?: boolean;
                /** @description Default: true. */
                required?: boolean;
            }[];
        };
        /**
         * @description A transfer of ownership to another member.
         * @example {
         *       "user_id": "019a0b1c2d3e7f008000000000000001"
         *     }
         */
        OwnershipTransfer: {
            /** @description The member who becomes owner. */
            user_id: string;
        };
        /**
         * @description Signed URL of a part.
         * @example {
         *       "part_number": 1,
         *       "size_bytes": 16777216,
         *       "url": "https://bucket.s3.example.com/…",
         *       "method": "PUT",
         *       "expires_at": "2026-11-21T10:30:00.000Z"
         *     }
         */
        PartUrl: {
            /** @description Number of the part; the first is 1. */
            part_number: number;
            /** @description Size of the part in bytes. */
            size_bytes: number;
            /** @description URL to send the bytes of the part to, as the whole body. */
            url: string;
            /**
             * @description Always `PUT`.
             * @enum {string}
             */
            method: "PUT";
            /**
             * Format: date-time
             * @description Expiry of the URL, ISO 8601, UTC.
             */
            expires_at: string;
        };
        /**
         * @description Signed URLs of parts.
         * @example {
         *       "part_urls": [
         *         {
         *           "part_number": 1,
         *           "size_bytes": 16777216,
         *           "url": "https://bucket.s3.example.com/…",
         *           "method": "PUT",
         *           "expires_at": "2026-11-21T10:30:00.000Z"
         *         }
         *       ]
         *     }
         */
        PartUrls: {
            /** @description URLs in the order of the request. */
            part_urls: components["schemas"]["PartUrl"][];
        };
        /**
         * @description Parts to sign URLs for.
         * @example {
         *       "part_numbers": [
         *         1,
         *         2
         *       ]
         *     }
         */
        PartsToSign: {
            /** @description Numbers of the parts. */
            part_numbers: number[];
        };
        /**
         * @description A change of the password.
         * @example {
         *       "current_password": "correct horse battery staple",
         *       "new_password": "staple battery horse correct"
         *     }
         */
        PasswordChange: {
            /** @description The current password. */
            current_password: string;
            /** @description The new password: 12 to 256 characters. */
            new_password: string;
        };
        /** @description A prompt in terms that can be searched. */
        Plan: {
            /** @enum {number} */
            version: 1;
            /** @description The prompt. */
            query: string;
            /** @description Null for none. */
            question: ("describe" | "count" | "how_often" | "yes_no" | "when" | "where" | "which_way" | "which_color" | "which_text" | "how_long" | "time_between") | null;
            /** @description For `count`: also the count per period of this many seconds. */
            per?: number;
            /** @description The part of the video to search; null for all of it. */
            window: {
                /** @description Seconds from the start; negative: from the end. */
                from: number;
                /** @description Seconds from the start; negative: from the end; null: to the end. */
                to: number | null;
            } | null;
            searches: {
                /** @description The words of the prompt. */
                text: string;
                /** @description One event, or several in sequence. */
                steps: {
                    /** @description The words of the prompt. */
                    text: string;
                    /** @description What to look for. */
                    what: {
                        /** @enum {string} */
                        kind: "object";
                        /** @description An object to look for. */
                        subject: {
                            /** @description The words of the prompt, or any name. */
                            text: string;
                            /** @description Classes of the detector that match, any of them; empty for any object. */
                            classes: string[];
                            /** @description Names of colors, any of them; empty for any color. */
                            colors: string[];
                            count: {
                                /** @description At least this many at the same time. */
                                min: number;
                                /** @description At most this many at the same time; null for no limit. */
                                max: number | null;
                            };
                            /** @description Null for either. */
                            state: ("stationary" | "moving") | null;
                            /** @description Where its center has to be; null for anywhere. */
                            place: ({
                                /** @description Name: `left`, `top right`, or any other. */
                                name: string;
                                /** @description Left edge, fraction of the width. */
                                x: number;
                                /** @description Top edge, fraction of the height. */
                                y: number;
                                /** @description Fraction of the width. */
                                width: number;
                                /** @description Fraction of the height. */
                                height: number;
                            } | {
                                /** @description Name: `left`, `top right`, or any other. */
                                name: string;
                                /** @description Corners, in order around it. */
                                points: {
                                    /** @description Fraction of the width. */
                                    x: number;
                                    /** @description Fraction of the height. */
                                    y: number;
                                }[];
                                /** @description True: a zone that was drawn for the video, in which an object is where it stands: by the middle of the lower edge of its box instead of its center. */
                                zone?: boolean;
                            }) | null;
                            /** @description True: only while somebody rides it: a cyclist. */
                            ridden?: boolean;
                        };
                        /**
                         * @description Action of the object.
                         * @enum {unknown}
                         */
                        action: "present" | "appears" | "disappears" | "enters" | "leaves" | "crosses" | "moves" | "stops" | "starts" | "stands" | "loiters" | "approaches" | "passes" | "overtakes" | "follows" | "close_ahead" | "left_behind" | "taken_away";
                        /** @description True: the object is there and does not do it ("a person who does not move"). Not the same as a negated step: nobody moves. */
                        idle: boolean;
                        /** @description Direction of motion; null for any. */
                        direction: ("left" | "right" | "up" | "down" | "towards" | "away") | null;
                        /** @description The edge of entry; null for any. */
                        from: ("left" | "right" | "top" | "bottom") | null;
                        /** @description The edge of exit; null for any. */
                        to: ("left" | "right" | "top" | "bottom") | null;
                        /** @description A line in the frame that the center of an object `crosses`; without one, the middle of the frame. */
                        line?: {
                            /** @description Name: `left`, `top right`, or any other. */
                            name: string;
                            /** @description A point in the frame. */
                            from: {
                                /** @description Fraction of the width. */
                                x: number;
                                /** @description Fraction of the height. */
                                y: number;
                            };
                            /** @description A point in the frame. */
                            to: {
                                /** @description Fraction of the width. */
                                x: number;
                                /** @description Fraction of the height. */
                                y: number;
                            };
                            /** @description True: a zone that was drawn for the video, in which an object is where it stands: by the middle of the lower edge of its box instead of its center. */
                            zone?: boolean;
                            /**
                             * @description `in`: only crossings to the right of the line, as seen from `from` to `to`; `out`: to its left.
                             * @enum {unknown}
                             */
                            way?: "in" | "out";
                        };
                        /** @description A place in the frame, a rectangle or a polygon. As the place of an object: where its center has to be. As the region of an action: what its center `enters`, `leaves` or `crosses` instead of the whole frame. */
                        region?: {
                            /** @description Name: `left`, `top right`, or any other. */
                            name: string;
                            /** @description Left edge, fraction of the width. */
                            x: number;
                            /** @description Top edge, fraction of the height. */
                            y: number;
                            /** @description Fraction of the width. */
                            width: number;
                            /** @description Fraction of the height. */
                            height: number;
                        } | {
                            /** @description Name: `left`, `top right`, or any other. */
                            name: string;
                            /** @description Corners, in order around it. */
                            points: {
                                /** @description Fraction of the width. */
                                x: number;
                                /** @description Fraction of the height. */
                                y: number;
                            }[];
                            /** @description True: a zone that was drawn for the video, in which an object is where it stands: by the middle of the lower edge of its box instead of its center. */
                            zone?: boolean;
                        };
                        /**
                         * @description In footage from a moving vehicle: `instead`: the vehicle that carries the camera is meant; `also`: it is searched as well. Missing: an object in the frame.
                         * @enum {unknown}
                         */
                        vehicle?: "instead" | "also";
                        /** @description Null if no other object matters. */
                        relation: {
                            /**
                             * @description Relation to the other object, in the frame.
                             * @enum {unknown}
                             */
                            kind: "near" | "too_close_to" | "with" | "overlaps" | "in_front_of" | "behind" | "left_of" | "right_of" | "above" | "below" | "on" | "inside";
                            /** @description An object to look for. */
                            other: {
                                /** @description The words of the prompt, or any name. */
                                text: string;
                                /** @description Classes of the detector that match, any of them; empty for any object. */
                                classes: string[];
                                /** @description Names of colors, any of them; empty for any color. */
                                colors: string[];
                                count: {
                                    /** @description At least this many at the same time. */
                                    min: number;
                                    /** @description At most this many at the same time; null for no limit. */
                                    max: number | null;
                                };
                                /** @description Null for either. */
                                state: ("stationary" | "moving") | null;
                                /** @description Where its center has to be; null for anywhere. */
                                place: ({
                                    /** @description Name: `left`, `top right`, or any other. */
                                    name: string;
                                    /** @description Left edge, fraction of the width. */
                                    x: number;
                                    /** @description Top edge, fraction of the height. */
                                    y: number;
                                    /** @description Fraction of the width. */
                                    width: number;
                                    /** @description Fraction of the height. */
                                    height: number;
                                } | {
                                    /** @description Name: `left`, `top right`, or any other. */
                                    name: string;
                                    /** @description Corners, in order around it. */
                                    points: {
                                        /** @description Fraction of the width. */
                                        x: number;
                                        /** @description Fraction of the height. */
                                        y: number;
                                    }[];
                                    /** @description True: a zone that was drawn for the video, in which an object is where it stands: by the middle of the lower edge of its box instead of its center. */
                                    zone?: boolean;
                                }) | null;
                                /** @description True: only while somebody rides it: a cyclist. */
                                ridden?: boolean;
                            };
                            /** @description True: while the relation does not hold. */
                            negated: boolean;
                        } | null;
                    } | {
                        /** @enum {string} */
                        kind: "signal";
                        /**
                         * @description Signal of the frame.
                         * @enum {unknown}
                         */
                        signal: "cut" | "dissolve" | "fade" | "fade_in" | "fade_out" | "scene_change" | "dark" | "well_lit" | "bright" | "overexposed" | "gets_dark" | "gets_bright" | "light_change" | "flash" | "flicker" | "monochrome" | "color_cast" | "black" | "frozen" | "blurred" | "covered" | "shaking";
                    } | {
                        /** @enum {string} */
                        kind: "motion";
                        /** @description Where; null for anywhere. */
                        place: ({
                            /** @description Name: `left`, `top right`, or any other. */
                            name: string;
                            /** @description Left edge, fraction of the width. */
                            x: number;
                            /** @description Top edge, fraction of the height. */
                            y: number;
                            /** @description Fraction of the width. */
                            width: number;
                            /** @description Fraction of the height. */
                            height: number;
                        } | {
                            /** @description Name: `left`, `top right`, or any other. */
                            name: string;
                            /** @description Corners, in order around it. */
                            points: {
                                /** @description Fraction of the width. */
                                x: number;
                                /** @description Fraction of the height. */
                                y: number;
                            }[];
                            /** @description True: a zone that was drawn for the video, in which an object is where it stands: by the middle of the lower edge of its box instead of its center. */
                            zone?: boolean;
                        }) | null;
                    } | {
                        /** @enum {string} */
                        kind: "camera";
                        /**
                         * @description Motion of the camera, or of the vehicle that carries it.
                         * @enum {unknown}
                         */
                        move: "moves" | "still" | "pans" | "tilts" | "turns" | "rolls" | "zooms" | "forward" | "backward" | "stops" | "starts" | "brakes";
                        /** @description Null for any. */
                        direction: ("left" | "right" | "up" | "down" | "in" | "out") | null;
                        /** @description True: only hard braking, or sharp turns. */
                        hard?: boolean;
                        /** @description True: the vehicle that carries the camera; only in footage from one. */
                        vehicle?: boolean;
                    } | {
                        /** @enum {string} */
                        kind: "sound";
                        /**
                         * @description Kind of sound.
                         * @enum {unknown}
                         */
                        sound: "silence" | "sound" | "loud" | "bang" | "siren" | "alarm" | "car_horn" | "glass_breaking" | "gunshot" | "explosion" | "dog_bark" | "cat_meow" | "rooster" | "birds" | "baby_cry" | "scream" | "laughter" | "sneeze" | "cough" | "snoring" | "applause" | "cheering" | "speech" | "music" | "engine" | "chainsaw" | "helicopter" | "airplane" | "train" | "rain" | "thunder" | "sea_waves" | "clock_tick" | "fire_crackling" | "typing";
                    } | {
                        /** @enum {string} */
                        kind: "speech";
                        /** @description Spoken words; null for everything that is spoken. */
                        words: string | null;
                        /** @description True: the words are a subject, and may be spoken in any order. */
                        about?: boolean;
                    } | {
                        /** @enum {string} */
                        kind: "text";
                        /** @description The text; null for any. */
                        text: string | null;
                        /** @description What it is written on ("sign"), which is not checked. */
                        carrier?: string;
                    } | {
                        /** @enum {string} */
                        kind: "traffic_light";
                        /**
                         * @description `shows`: its lamp of this color is lit; `turns`: it changes to this color; `waits`: the recording vehicle stands at it; `runs`: the recording vehicle passes it.
                         * @enum {unknown}
                         */
                        event: "shows" | "turns" | "waits" | "runs";
                        /** @description Null for any. */
                        color: ("red" | "yellow" | "green") | null;
                        /** @description For `waits`, true: the prompt presumes the light ("the red light"), so where no lamp is recognized any standstill counts, with lower confidence. */
                        presumed?: boolean;
                    } | {
                        /** @enum {string} */
                        kind: "quantity";
                        /**
                         * @description Speeds in m/s, accelerations in m/s², yaw rates in rad/s.
                         * @enum {unknown}
                         */
                        quantity: "speed" | "acceleration" | "deceleration" | "lateral_acceleration" | "yaw_rate";
                        range: {
                            /** @description At least this; null for no lower limit. */
                            min: number | null;
                            /** @description At most this; null for no upper limit. */
                            max: number | null;
                        };
                    } | {
                        /** @enum {string} */
                        kind: "fact";
                        /**
                         * @description The requested fact about the recording; speeds need telemetry.
                         * @enum {unknown}
                         */
                        fact: "duration" | "resolution" | "frame_rate" | "frame_count" | "orientation" | "codec" | "container" | "file_size" | "bit_rate" | "dynamic_range" | "audio_track" | "recorded_at" | "camera_model" | "shot_count" | "mean_speed" | "top_speed";
                    } | {
                        /** @enum {string} */
                        kind: "notable";
                    } | {
                        /** @enum {string} */
                        kind: "unknown";
                    };
                    /** @description True: look for the times when it does not hold. */
                    negated: boolean;
                    /** @description Duration in seconds; null for the default. */
                    duration: {
                        /** @description At least this; null for no lower limit. */
                        min: number | null;
                        /** @description At most this; null for no upper limit. */
                        max: number | null;
                    } | null;
                    /** @description Relation to the step before; null for the first step. */
                    join: ("then" | "while") | null;
                    /** @description For `then`: at most this many seconds after the end of the step before; null for the default. */
                    within: number | null;
                    /** @description For `then`: at least this many seconds after the end of the step before; without `within`, however much later. */
                    apart?: number;
                    /** @description True: it has to hold from the start to the end of the searched part of the video. */
                    throughout?: boolean;
                    /** @description True: by the same object as the step before. */
                    same: boolean;
                    unchecked: {
                        /** @description The words of the prompt. */
                        text: string;
                        /** @description Reason why it cannot be checked. */
                        reason: string;
                        /** @description True: without it the rest would answer another question, so nothing is reported. False: the rest is searched with lower confidence. */
                        blocks: boolean;
                        /** @description True: what was found may be something else ("a person runs" is searched for as any motion), so its confidence stays below the default `min_confidence`. */
                        decides?: boolean;
                        /**
                         * @description Casts no doubt on what was found in such footage. `fixed`: a name of the place that the camera shows ("in the room"), except in footage from a moving vehicle. `vehicle`: outdoors, in footage from a moving vehicle.
                         * @enum {unknown}
                         */
                        presumed?: "fixed" | "vehicle";
                    }[];
                }[];
                /** @description Null for all. */
                pick: ("first" | "second" | "third" | "fourth" | "fifth" | "last" | "longest" | "shortest" | "most") | null;
            }[];
            /** @description Words read as the nearest known one. */
            corrected: {
                from: string;
                to: string;
            }[];
            /** @description Language of the prompt, in English; absent for English. */
            language?: string;
            /**
             * @description Who rewrote the prompt in English: `lexicon`, a dictionary; `model`, a language model.
             * @enum {unknown}
             */
            reader?: "lexicon" | "model";
            /** @description Parts of the prompt that were rewritten before they were read. */
            rewritten?: {
                /** @description Words of the prompt. */
                from: string;
                /** @description English that the plan was made from. */
                to: string;
            }[];
            /** @description The reading of a language model that contradicts the rules. It was not searched. */
            alternative?: {
                /** @description Words of the prompt. */
                from: string;
                /** @description English of the other reading. */
                to: string;
            }[];
        };
        /**
         * @description Changes to your profile. Absent fields are unchanged.
         * @example {
         *       "name": "Ada",
         *       "locale": "en"
         *     }
         */
        ProfileChanges: {
            /** @description Your name. */
            name?: string;
            /** @description Your language as a BCP 47 tag, such as `de` or `pt-BR`; null: that of the browser. */
            locale?: string | null;
        };
        /**
         * @description A prompt on one or more videos.
         * @example {
         *       "query": "a person walks past a parked car",
         *       "video_id": "019a0b1c2d3e7f008000000000000003"
         *     }
         */
        Query: {
            /** @description The prompt: what to find, in plain words. At most 10,000 characters. */
            query: string;
            /** @description The video to query. Send either this or `video_ids`. */
            video_id?: string | null;
            /** @description The videos to query, at most 1,000. A video that is listed twice is analyzed twice. */
            video_ids?: string[] | null;
            /** @description Least confidence of an event, 0 to 1. What is found with less is listed under `candidates` in the document, and is in no count, answer, search or stream. Default: 0.5. */
            min_confidence?: number | null;
            /** @description Which events a configured vision-language model verifies: those in doubt (`auto`, the default), up to 20 of all (`always`), or none. It changes their confidence and costs tokens. */
            verify?: ("auto" | "always" | "never") | null;
            /** @description Profile of the vision-language model (`vision_profiles` of `GET /api/system`). Default: that of the folder of the video, else that of the service. */
            vision_profile?: string | null;
            /** @description A plan to follow instead of the prompt, as in `analysis.plan` of an analysis document. Equal plans give equal results. */
            plan?: components["schemas"]["Plan"] | null;
            /** @description Fields to fill for each event or each video. Measurements fill what they can; a field without a value has a reason in `structured_output_errors`. */
            output_schema?: components["schemas"]["OutputSchema"] | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A query that was understood but not run.
         * @example {
         *       "interpretation": "Understood as: picture is dark.",
         *       "plan": {
         *         "version": 1,
         *         "query": "it is dark",
         *         "question": null,
         *         "window": null,
         *         "searches": [
         *           {
         *             "text": "it is dark",
         *             "steps": [
         *               {
         *                 "text": "it is dark",
         *                 "what": {
         *                   "kind": "signal",
         *                   "signal": "dark"
         *                 },
         *                 "negated": false,
         *                 "duration": null,
         *                 "join": null,
         *                 "within": null,
         *                 "same": false,
         *                 "unchecked": []
         *               }
         *             ],
         *             "pick": null
         *           }
         *         ],
         *         "corrected": []
         *       },
         *       "min_confidence": 0.5,
         *       "parts": [
         *         {
         *           "text": "it is dark",
         *           "status": "looked_for",
         *           "by": [
         *             "signals"
         *           ],
         *           "reason": null
         *         }
         *       ],
         *       "corrected": [],
         *       "total_videos": 1,
         *       "observed_videos": 0,
         *       "estimated_seconds": 7,
         *       "estimated_vision_tokens": 0,
         *       "estimated_vision_calls": 0,
         *       "estimated_vision_cost": 0
         *     }
         */
        QueryPreview: {
            /** @description How the prompt is understood, in one sentence: what is understood, and what is not. */
            interpretation: string;
            /** @description The plan, which can be changed and sent with a query. */
            plan: components["schemas"]["Plan"];
            /** @description Least confidence of an event, 0 to 1. */
            min_confidence: number;
            /** @description Parts of the prompt. A video may lack what a part needs, such as sound or telemetry. */
            parts: {
                /** @description Words of the prompt. */
                text: string;
                /**
                 * @description Whether it would be searched for.
                 * @enum {string}
                 */
                status: "looked_for" | "partly" | "not_looked_for";
                /** @description Observers that would search for it. */
                by: string[];
                /** @description Why it would not be searched for, or what limits the search; null: nothing. */
                reason: string | null;
            }[];
            /** @description Words that are read as the nearest known word. */
            corrected: {
                /** @description Word of the prompt. */
                from: string;
                /** @description Known word. */
                to: string;
            }[];
            /** @description Number of videos of the query. */
            total_videos: number;
            /** @description Number of videos that need not be decoded again. */
            observed_videos: number;
            /** @description Estimated duration in seconds on two processor cores, for 1080p video, without a vision model. */
            estimated_seconds: number;
            /** @description Estimated tokens of the vision model; 0 if none is configured or needed. Less if it has answered the same before. */
            estimated_vision_tokens: number;
            /** @description Estimated calls of the vision model. */
            estimated_vision_calls: number;
            /** @description Estimated cost of these tokens, in the currency of the configured prices; 0 without prices. */
            estimated_vision_cost: number;
        };
        /**
         * @description A query that is not run. The videos are optional.
         * @example {
         *       "query": "a red truck stopped for over 30 seconds",
         *       "video_id": "019a0b1c2d3e7f008000000000000003",
         *       "mode": "thinking"
         *     }
         */
        QueryPreviewRequest: {
            /** @description The prompt: what to find, in plain words. At most 10,000 characters. */
            query: string;
            /** @description The video to query. Send either this or `video_ids`. */
            video_id?: string | null;
            /** @description The videos to query, at most 1,000. A video that is listed twice is analyzed twice. */
            video_ids?: string[] | null;
            /** @description Least confidence of an event, 0 to 1. What is found with less is listed under `candidates` in the document, and is in no count, answer, search or stream. Default: 0.5. */
            min_confidence?: number | null;
            /** @description Which events a configured vision-language model verifies: those in doubt (`auto`, the default), up to 20 of all (`always`), or none. It changes their confidence and costs tokens. */
            verify?: ("auto" | "always" | "never") | null;
            /** @description Profile of the vision-language model (`vision_profiles` of `GET /api/system`). Default: that of the folder of the video, else that of the service. */
            vision_profile?: string | null;
            /** @description A plan to follow instead of the prompt, as in `analysis.plan` of an analysis document. Equal plans give equal results. */
            plan?: components["schemas"]["Plan"] | null;
            /** @description Fields to fill for each event or each video. Measurements fill what they can; a field without a value has a reason in `structured_output_errors`. */
            output_schema?: components["schemas"]["OutputSchema"] | null;
            /** @description Mode to estimate the cost of. Default: `thinking`. */
            mode?: ("thinking" | "fast") | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A query for one video, as older clients send it. Other fields of older clients are accepted and ignored.
         * @example {
         *       "question": "driving-----------EVENT_DESCRIPTION-----------a person walks past a parked car",
         *       "video_id": "019a0b1c2d3e7f008000000000000003"
         *     }
         */
        QuestionForm: {
            /** @description The query, optionally after a category and the separator `-----------EVENT_DESCRIPTION-----------`. */
            question: string;
            /** @description Video to analyze. */
            video_id: string;
            /** @description Rejected with 501: this service has no trained agents. */
            custom_agent_id?: string | null;
            /** @description Rejected with 501: this service has no workflows. */
            custom_workflow_name?: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Background jobs of the service by kind.
         * @example {
         *       "queues": [
         *         {
         *           "name": "analyses.run",
         *           "waiting": 12,
         *           "oldest_waiting_at": "2026-11-21T09:30:00.000Z",
         *           "delayed": 0,
         *           "running": 2,
         *           "failed": 0
         *         }
         *       ]
         *     }
         */
        QueueList: {
            /** @description All kinds of jobs. */
            queues: {
                /** @description Kind of job. */
                name: string;
                /** @description Jobs that could start now. */
                waiting: number;
                /** @description Since when the oldest waiting job could start; null if none waits. */
                oldest_waiting_at: string | null;
                /** @description Jobs that start later: delayed ones, and those before their next attempt. */
                delayed: number;
                /** @description Jobs that run now, on all workers. */
                running: number;
                /** @description Jobs that were given up in the last six hours. */
                failed: number;
            }[];
        };
        /** @description An event in its readable form. */
        ReadableEvent: {
            /** @description The same as in the stored form. */
            event_id: string;
            /** @description Kind of event. */
            type: string;
            /** @description The same as `type`. */
            category: string;
            /** @description Short description of the event. */
            label: string;
            /** @description The same as `label`. */
            description: string;
            /** @description `low`, `medium` or `high`. */
            severity: string;
            /** @description Confidence of the engine, 0 to 1. */
            confidence: number;
            /** @description Start as MM:SS, or HH:MM:SS past an hour; fractions are cut off. */
            t_start: string;
            /** @description End in the same form. */
            t_end: string;
            /** @description Start in seconds from the first frame. */
            start_s: number;
            /** @description End in seconds from the first frame. */
            end_s: number;
            /** @description Exact presentation time stamp of the start, in units of `time_base`. */
            start_pts: number;
            /** @description Exact presentation time stamp of the end. */
            end_pts: number;
            /** @description Seconds per time stamp unit: numerator, denominator. */
            time_base: number[];
            /** @description Reason for the event. */
            aiAnalysis: string;
            /** @description The same as in the stored form. */
            caveats: string[];
            /** @description Review state: `pending` until reviewers have decided, then `approved`, `rejected` or `unsure`. */
            approval: string;
            review?: components["schemas"]["EventReview"];
            /** @description Result of showing frames of the event to a vision-language model again; absent if none was queried. */
            verification?: {
                /** @description `verified`, `refuted`, or `unverified` if the model could not tell, contradicted itself or could not be asked. */
                status: string;
                /** @description The vision-language model. */
                by: string;
                /** @description Times of the frames that decided, in seconds. */
                frames_s: number[];
            } & {
                [key: string]: unknown;
            };
            /** @description Signed URL of the evidence image. */
            annotated_thumbnail_url?: string;
            /** @description Values of the fields of `output_schema`; absent if a required field has none. */
            structured_output?: {
                [key: string]: unknown;
            };
            /** @description Label of the schema. */
            structured_output_label?: string;
            /** @description Version of the schema. */
            structured_output_version?: number;
            /** @description Fields without a value. */
            structured_output_errors?: {
                /** @description Name of the field. */
                field: string;
                /** @description Reason why it has no value. */
                message: string;
            }[];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Service account to which a bucket grants access.
         * @example {
         *       "provider": "google",
         *       "google_service_account_email": "sightline@example-project.iam.gserviceaccount.com",
         *       "project_id": "example-project",
         *       "roles": [
         *         "roles/storage.objectViewer"
         *       ]
         *     }
         */
        ReaderSetup: {
            /**
             * @description Cloud provider of this deployment’s identity.
             * @enum {string}
             */
            provider: "google";
            /** @description Email address of the service account. */
            google_service_account_email: string;
            /** @description Google Cloud project of the service account. */
            project_id: string | null;
            /** @description Roles to grant to the service account on the bucket. */
            roles: string[];
        };
        /**
         * @description The service can handle requests.
         * @example {
         *       "status": "ready",
         *       "checks": {
         *         "database": "ok",
         *         "storage": "ok",
         *         "disk": "ok"
         *       }
         *     }
         */
        Readiness: {
            /**
             * @description Always `ready`.
             * @enum {string}
             */
            status: "ready";
            /** @description Dependencies that were checked, by name. */
            checks: {
                [key: string]: "ok";
            };
        };
        /**
         * @description Events whose assignment ends.
         * @example {
         *       "event_ids": [
         *         "019a0b1c2d3e7f008000000000000011-0"
         *       ]
         *     }
         */
        ReleaseRequest: {
            /** @description Identifiers of the events, at most 500. */
            event_ids: string[];
        };
        /**
         * @description How the events of a folder are reviewed.
         * @example {
         *       "reviewers": 2
         *     }
         */
        ReviewPolicyRequest: {
            /** @description Number of reviewers who must agree before an event of the folder is decided. It applies to later verdicts. */
            reviewers: number;
        };
        /**
         * @description How good the answers to prompts are, from reviews.
         * @example {
         *       "scores": [
         *         {
         *           "query": "a cyclist crosses",
         *           "engine_version": "1.4",
         *           "folder_id": null,
         *           "folder_name": null,
         *           "approved": 20,
         *           "rejected": 3,
         *           "unsure": 1,
         *           "pending": 0,
         *           "added": 2,
         *           "precision": {
         *             "value": 0.869565,
         *             "low": 0.678834,
         *             "high": 0.954635
         *           },
         *           "recall": {
         *             "value": 0.909091,
         *             "low": 0.721852,
         *             "high": 0.974714
         *           },
         *           "overlap": {
         *             "value": 0.8,
         *             "low": 0.74,
         *             "high": 0.86
         *           },
         *           "calibration_error": 0.06,
         *           "calibration": [
         *             {
         *               "from": 0.8,
         *               "to": 0.9,
         *               "events": 23,
         *               "confidence": 0.84,
         *               "approved": 0.869565
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        ReviewScores: {
            /** @description One for each prompt, engine version and folder, most decided events first. */
            scores: {
                /** @description The prompt. */
                query: string;
                /** @description Version of the engine: planning, observers, models and the vision model. */
                engine_version: string;
                /** @description Folder of the videos; null: no folder. */
                folder_id: string | null;
                /** @description Name of that folder. */
                folder_name: string | null;
                /** @description Events of the engine that reviewers approved. */
                approved: number;
                /** @description Events of the engine that they rejected. */
                rejected: number;
                /** @description Events of the engine that they were unsure about. */
                unsure: number;
                /** @description Events of the same analyses that are not decided. */
                pending: number;
                /** @description Events that the engine missed and people added. */
                added: number;
                /** @description Share of the decided events that are right; null without one (Wilson interval). */
                precision: {
                    /** @description The estimate. */
                    value: number;
                    /** @description Lower end of its 95 % interval. */
                    low: number;
                    /** @description Upper end of its 95 % interval. */
                    high: number;
                } | null;
                /** @description Share of the right events that the engine found (Wilson interval). Events that nobody noticed are not known, so it is an upper estimate. */
                recall: {
                    /** @description The estimate. */
                    value: number;
                    /** @description Lower end of its 95 % interval. */
                    low: number;
                    /** @description Upper end of its 95 % interval. */
                    high: number;
                } | null;
                /** @description Mean temporal overlap (intersection over union) of approved events with their corrected times. */
                overlap: {
                    /** @description The estimate. */
                    value: number;
                    /** @description Lower end of its 95 % interval. */
                    low: number;
                    /** @description Upper end of its 95 % interval. */
                    high: number;
                } | null;
                /** @description Mean difference of confidence and precision in bins of confidence, weighted by events. */
                calibration_error: number | null;
                /** @description Decided events by confidence. */
                calibration: {
                    /** @description Lowest confidence of the bin. */
                    from: number;
                    /** @description Upper end of the bin. */
                    to: number;
                    /** @description Number of decided events. */
                    events: number;
                    /** @description Their mean confidence. */
                    confidence: number;
                    /** @description Share of them that are right. */
                    approved: number;
                }[];
            }[];
        };
        /**
         * @description Events that were changed.
         * @example {
         *       "events": [
         *         {
         *           "event_id": "019a0b1c2d3e7f008000000000000011-0",
         *           "analysis_id": "019a0b1c2d3e7f008000000000000011",
         *           "video_id": "019a0b1c2d3e7f008000000000000003",
         *           "video_name": "night-01.mp4",
         *           "video_duration_s": 61.4,
         *           "folder_id": "019a0b1c2d3e7f008000000000000002",
         *           "folder_name": "Night drives",
         *           "batch_id": null,
         *           "query": "the picture gets dark",
         *           "type": "light",
         *           "label": "The picture gets dark",
         *           "severity": "medium",
         *           "confidence": 0.94,
         *           "start_s": 12.346,
         *           "end_s": 15.015,
         *           "annotated_thumbnail_url": "http://localhost:8099/api/evidence/019a0b1c2d3e7f008000000000000011/000-0.jpg?token=t1x2y3.signature",
         *           "approval": "pending",
         *           "review": null,
         *           "assigned_to": null,
         *           "assigned_until": null,
         *           "created_at": "2026-11-21T09:30:00.000Z"
         *         }
         *       ]
         *     }
         */
        ReviewedEvents: {
            /** @description The events after the change. */
            events: components["schemas"]["EventSummary"][];
        };
        /**
         * @description The invitation was revoked.
         * @example {
         *       "invitation_id": "019a0b1c2d3e7f008000000000000008"
         *     }
         */
        RevokedInvitation: {
            /** @description Identifier of the revoked invitation. */
            invitation_id: string;
        };
        /**
         * @description The new role of a member.
         * @example {
         *       "role": "admin"
         *     }
         */
        RoleChange: {
            /**
             * @description `member`: reads and writes; `admin`: also manages keys and members; `owner`: also manages owners and admins.
             * @enum {string}
             */
            role: "owner" | "admin" | "member";
        };
        /**
         * @description Identity that the role must trust.
         * @example {
         *       "provider": "google",
         *       "auth_mode": "web_identity",
         *       "project_id": "example-project",
         *       "google_service_account_email": "sightline@example-project.iam.gserviceaccount.com",
         *       "google_service_account_subject_id": "100000000000000000001",
         *       "audience": "sightline-019a0b1c2d3e7f008000000000000000",
         *       "external_id": null,
         *       "aws_trust_policy_template": {
         *         "Version": "2012-10-17",
         *         "Statement": [
         *           {
         *             "Effect": "Allow",
         *             "Principal": {
         *               "Federated": "accounts.google.com"
         *             },
         *             "Action": "sts:AssumeRoleWithWebIdentity",
         *             "Condition": {
         *               "StringEquals": {
         *                 "accounts.google.com:sub": "100000000000000000001",
         *                 "accounts.google.com:oaud": "sightline-019a0b1c2d3e7f008000000000000000"
         *               }
         *             }
         *           }
         *         ]
         *       }
         *     }
         */
        RoleSetup: {
            /**
             * @description Cloud provider of this deployment’s identity.
             * @enum {string}
             */
            provider: "google" | "aws";
            /**
             * @description `web_identity` (AssumeRoleWithWebIdentity with a token of the service account) or `assume_role` (AssumeRole with an external id).
             * @enum {string}
             */
            auth_mode: "web_identity" | "assume_role";
            /** @description Google Cloud project of the service account. */
            project_id: string | null;
            /** @description Email address of the service account. */
            google_service_account_email: string | null;
            /** @description Unique id of the service account: the subject of its tokens. */
            google_service_account_subject_id: string | null;
            /** @description Audience of the tokens; unique to your organization. */
            audience: string | null;
            /** @description External id for `assume_role`; unique to your organization. */
            external_id: string | null;
            /** @description Trust policy for the role in your AWS account; use it unchanged. The role needs s3:ListBucket and s3:GetObject. */
            aws_trust_policy_template: {
                [key: string]: unknown;
            };
        };
        /** @description The rows to retry. */
        RowsToRetry: ({
            /** @description Videos whose failed rows are retried; the front of a set stands for all views. Default: all. */
            video_ids?: string[] | null;
        } & {
            [key: string]: unknown;
        }) | null;
        /**
         * @description The stream was created or changed.
         * @example {
         *       "ok": true
         *     }
         */
        SavedLiveStream: {
            /** @description Always true. */
            ok: boolean;
        };
        /**
         * @description A question that runs by itself on new videos.
         * @example {
         *       "saved_question_id": "019a0b1c2d3e7f008000000000000051",
         *       "name": "Trucks at the gate",
         *       "query": "a truck stops",
         *       "mode": "thinking",
         *       "min_confidence": 0.5,
         *       "verify": "auto",
         *       "folder_id": null,
         *       "folder_name": null,
         *       "scope": "org",
         *       "owner_id": "019a0b1c2d3e7f008000000000000001",
         *       "enabled": true,
         *       "snoozed_until": null,
         *       "state": "active",
         *       "rule": {
         *         "labels": [],
         *         "min_confidence": null,
         *         "cooldown_s": 600,
         *         "quiet_hours": null
         *       },
         *       "last_alert_at": null,
         *       "created_at": "2026-11-21T09:30:00.000Z"
         *     }
         */
        SavedQuestion: {
            /** @description Identifier of the saved question. */
            saved_question_id: string;
            /** @description Name of the question. */
            name: string;
            /** @description The prompt. */
            query: string;
            /**
             * @description `fast`: a sparse pass where that is sufficient; `thinking`: all frames.
             * @enum {string}
             */
            mode: "fast" | "thinking";
            /** @description Least confidence of an event, 0 to 1. */
            min_confidence: number;
            /**
             * @description Which events a configured vision-language model verifies: those in doubt, up to 20 of all, or none.
             * @enum {string}
             */
            verify: "auto" | "always" | "never";
            /** @description Folder of its videos; null: shared videos and those of the owner. */
            folder_id: string | null;
            /** @description Name of the folder; null without one, or if it was deleted. */
            folder_name: string | null;
            /**
             * @description `user`: personal, as its folder; `org`: the organization sees it.
             * @enum {string}
             */
            scope: "user" | "org";
            /** @description User on whose behalf it runs. */
            owner_id: string;
            /** @description False: paused. */
            enabled: boolean;
            /** @description No event is announced until then; null: not snoozed. */
            snoozed_until: string | null;
            /**
             * @description Whether it runs and announces events, or why not.
             * @enum {string}
             */
            state: "active" | "paused" | "snoozed" | "folder_deleted" | "owner_left";
            /** @description Which events are announced. */
            rule: {
                /** @description Only events whose label or kind contains one of these texts, in any case; empty: all. */
                labels: string[];
                /** @description Least confidence of an announced event, 0 to 1; null: that of the query. */
                min_confidence: number | null;
                /** @description Least seconds between two alerts of the question. With a cooldown, the most confident event stands for all matching events of a video. 0: each event is an alert, at most 100 per video. */
                cooldown_s: number;
                /** @description A daily interval: matching events of a video that is analyzed in this time are not announced. Null: none. */
                quiet_hours: {
                    /** @description Local time at which the interval starts, `HH:MM`. */
                    from: string;
                    /** @description Local time at which it ends; the interval may cross midnight. */
                    to: string;
                    /** @description IANA name of the time zone, such as `Europe/Berlin`. */
                    time_zone: string;
                } | null;
            };
            /** @description Time of the latest alert; null before the first. */
            last_alert_at: string | null;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601, UTC.
             */
            created_at: string;
        };
        /**
         * @description Settings to change; others stay as they are. `folder_id: ""` removes the folder, and a time in the past for `snoozed_until` ends the snooze.
         * @example {
         *       "enabled": false
         *     }
         */
        SavedQuestionChange: {
            /** @description Name of the question, which alerts repeat. */
            name?: string | null;
            /** @description The prompt: what to find, in plain words. At most 10,000 characters. */
            query?: string | null;
            /** @description `fast`: a sparse pass where that is sufficient; `thinking`: all frames. Default: `thinking`. */
            mode?: ("fast" | "thinking") | null;
            /** @description Least confidence of an event, 0 to 1. Default: 0.5. */
            min_confidence?: number | null;
            /** @description Which events a configured vision-language model verifies: those in doubt, up to 20 of all, or none. Default: `auto`. */
            verify?: ("auto" | "always" | "never") | null;
            /** @description Run on new videos of this folder. Default, and if empty: on shared videos of the organization and your own. */
            folder_id?: string | null;
            /** @description False: paused, new videos are not analyzed. Default: true. */
            enabled?: boolean | null;
            /** @description No event is announced until then; videos are still analyzed. ISO 8601. Default: null. */
            snoozed_until?: string | null;
            /** @description Which events are announced. It replaces the whole rule; without one, all events are announced. */
            rule?: {
                /** @description Only events whose label or kind contains one of these texts, in any case; empty: all. */
                labels?: string[] | null;
                /** @description Least confidence of an announced event, 0 to 1; null: that of the query. */
                min_confidence?: number | null;
                /** @description Least seconds between two alerts of the question. With a cooldown, the most confident event stands for all matching events of a video. 0: each event is an alert, at most 100 per video. */
                cooldown_s?: number | null;
                /** @description A daily interval: matching events of a video that is analyzed in this time are not announced. Null: none. */
                quiet_hours?: {
                    /** @description Local time at which the interval starts, `HH:MM`. */
                    from: string;
                    /** @description Local time at which it ends; the interval may cross midnight. */
                    to: string;
                    /** @description IANA name of the time zone, such as `Europe/Berlin`. */
                    time_zone: string;
                } | null;
            } | null;
        };
        /**
         * @description All saved questions.
         * @example {
         *       "saved_questions": []
         *     }
         */
        SavedQuestionList: {
            /** @description Questions that you may read, oldest first. */
            saved_questions: components["schemas"]["SavedQuestion"][];
        };
        /**
         * @description A question to save.
         * @example {
         *       "name": "Trucks at the gate",
         *       "query": "a truck stops",
         *       "rule": {
         *         "cooldown_s": 600
         *       }
         *     }
         */
        SavedQuestionRequest: {
            /** @description Name of the question, which alerts repeat. */
            name: string;
            /** @description The prompt: what to find, in plain words. At most 10,000 characters. */
            query: string;
            /** @description `fast`: a sparse pass where that is sufficient; `thinking`: all frames. Default: `thinking`. */
            mode?: ("fast" | "thinking") | null;
            /** @description Least confidence of an event, 0 to 1. Default: 0.5. */
            min_confidence?: number | null;
            /** @description Which events a configured vision-language model verifies: those in doubt, up to 20 of all, or none. Default: `auto`. */
            verify?: ("auto" | "always" | "never") | null;
            /** @description Run on new videos of this folder. Default, and if empty: on shared videos of the organization and your own. */
            folder_id?: string | null;
            /** @description False: paused, new videos are not analyzed. Default: true. */
            enabled?: boolean | null;
            /** @description No event is announced until then; videos are still analyzed. ISO 8601. Default: null. */
            snoozed_until?: string | null;
            /** @description Which events are announced. It replaces the whole rule; without one, all events are announced. */
            rule?: {
                /** @description Only events whose label or kind contains one of these texts, in any case; empty: all. */
                labels?: string[] | null;
                /** @description Least confidence of an announced event, 0 to 1; null: that of the query. */
                min_confidence?: number | null;
                /** @description Least seconds between two alerts of the question. With a cooldown, the most confident event stands for all matching events of a video. 0: each event is an alert, at most 100 per video. */
                cooldown_s?: number | null;
                /** @description A daily interval: matching events of a video that is analyzed in this time are not announced. Null: none. */
                quiet_hours?: {
                    /** @description Local time at which the interval starts, `HH:MM`. */
                    from: string;
                    /** @description Local time at which it ends; the interval may cross midnight. */
                    to: string;
                    /** @description IANA name of the time zone, such as `Europe/Berlin`. */
                    time_zone: string;
                } | null;
            } | null;
        };
        /**
         * @description A saved question on one video. There is one run per video at most.
         * @example {
         *       "run_id": "019a0b1c2d3e7f008000000000000052",
         *       "video_id": "019a0b1c2d3e7f008000000000000003",
         *       "video_name": "gate.mp4",
         *       "status": "completed",
         *       "batch_id": "019a0b1c2d3e7f008000000000000010",
         *       "analysis_id": "019a0b1c2d3e7f008000000000000011",
         *       "event_count": 3,
         *       "matching_count": 2,
         *       "alert_count": 1,
         *       "silenced": null,
         *       "error": null,
         *       "message": null,
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "ended_at": "2026-11-21T09:31:10.000Z"
         *     }
         */
        SavedQuestionRun: {
            /** @description Identifier of the run. */
            run_id: string;
            /** @description The video. */
            video_id: string;
            /** @description Name of the video. */
            video_name: string;
            /**
             * @description State of the run.
             * @enum {string}
             */
            status: "waiting" | "processing" | "completed" | "failed";
            /** @description Batch of its analysis; null while it waits. */
            batch_id: string | null;
            /** @description Its analysis; null before that has ended. */
            analysis_id: string | null;
            /** @description Events of the analysis. */
            event_count: number;
            /** @description Events that match the rule. */
            matching_count: number;
            /** @description Alerts that were raised. */
            alert_count: number;
            /** @description Why matching events were not announced; null: they were, or there are none. */
            silenced: ("not_requested" | "paused" | "snoozed" | "quiet_hours" | "cooldown") | null;
            /** @description Code of the failure; null without one. */
            error: string | null;
            /** @description Reason of the failure in a sentence; null without one. */
            message: string | null;
            /**
             * Format: date-time
             * @description Time of the request or of the new video, ISO 8601, UTC.
             */
            created_at: string;
            /** @description End of the analysis; null while it runs. */
            ended_at: string | null;
        };
        /**
         * @description A page of runs.
         * @example {
         *       "runs": [],
         *       "has_more": false,
         *       "next_cursor": null
         *     }
         */
        SavedQuestionRunList: {
            /** @description Runs on videos that you may read, newest first. */
            runs: components["schemas"]["SavedQuestionRun"][];
            /** @description True if more runs follow. */
            has_more: boolean;
            /** @description Value of `cursor` for the next page. */
            next_cursor: string | null;
        };
        /**
         * @description How to run a saved question on existing videos.
         * @example {
         *       "announce": false
         *     }
         */
        SavedQuestionRunRequest: {
            /** @description True: matching events raise alerts. Default: false. */
            announce?: boolean | null;
        };
        /**
         * @description A prompt that states the form of its answer.
         * @example {
         *       "query": "Is there a person? VERDICT: yes/no/uncertain"
         *     }
         */
        SchemaQuery: {
            /** @description The prompt. At most 10,000 characters. */
            query: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A search and its result.
         * @example {
         *       "data": {
         *         "status": "completed",
         *         "query": "red car from the left",
         *         "folder_name": "Night drives",
         *         "summary": "1 event in 1 video matches.",
         *         "thoughts": [
         *           "Words: red; car; from; left."
         *         ],
         *         "matches": [
         *           {
         *             "video_id": "019a0b1c2d3e7f008000000000000003",
         *             "analysis_id": "019a0b1c2d3e7f008000000000000011",
         *             "event_id": "019a0b1c2d3e7f008000000000000011-0",
         *             "event_index": 0,
         *             "similarity": 1,
         *             "reason": "Matching words in \"Red car enters from the left\": red, car, left."
         *           }
         *         ],
         *         "created_at": "2026-11-21T09:30:00.000Z",
         *         "completed_at": "2026-11-21T09:30:00.080Z"
         *       }
         *     }
         */
        SearchSession: {
            /** @description The session. */
            data: {
                /** @description `pending` until the search was run, then `completed`. */
                status: string;
                /** @description Words of the search. */
                query: string;
                /** @description Name of the folder. */
                folder_name: string;
                /** @description The result in a sentence; empty while the search is pending. */
                summary: string;
                /** @description How the query was interpreted. */
                thoughts: string[];
                /** @description Events that match, best first; at most 200. */
                matches: ({
                    /** @description Identifier of the event, as in the document of that analysis. */
                    event_id: string;
                    /** @description Identifier of the video. */
                    video_id: string;
                    /** @description Analysis that reported the event. */
                    analysis_id: string;
                    /** @description Index of the event in that analysis, from 0. */
                    event_index: number;
                    /** @description Share of the query that matches the event, 0 to 1. */
                    similarity: number;
                    /** @description Explanation of the match, in a sentence. */
                    reason: string;
                } & {
                    [key: string]: unknown;
                })[];
                /**
                 * Format: date-time
                 * @description Creation time, ISO 8601, UTC.
                 */
                created_at: string;
                /** @description Completion time, ISO 8601, UTC. */
                completed_at: string | null;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /**
         * @description The search to run. Other fields of older clients are accepted and ignored.
         * @example {
         *       "session_id": "019a0b1c2d3e7f008000000000000020"
         *     }
         */
        SearchToRun: {
            /** @description Session to run, which has the query and the folder. */
            session_id: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A selection to preview. `source` is required if no `integration_id` is given.
         * @example {
         *       "integration_id": "019a0b1c2d3e7f008000000000000021",
         *       "prefix": "drives/",
         *       "include": [
         *         "**\/front_*.mp4"
         *       ]
         *     }
         */
        SelectionToPreview: {
            /** @description Provider of the bucket. */
            source?: ("gcs" | "s3" | "hf_bucket") | null;
            /** @description Integration that opens the bucket. Default: the one saved for the bucket. */
            integration_id?: string | null;
            /** @description Name of the bucket. Optional if `integration_id` is given. */
            bucket?: string | null;
            /** @description Import objects whose key starts with this prefix. Default: the prefix of the integration. */
            prefix?: string | null;
            /** @description Only import objects whose key matches one of these patterns: `*` matches within a folder, `**` across folders, `?` one character. */
            include?: string[] | null;
            /** @description Skip objects whose key matches one of these patterns. */
            exclude?: string[] | null;
            /** @description `next_cursor` of the previous page. */
            cursor?: string | null;
        };
        /** @description JSON key file of the service account. */
        ServiceAccountKey: {
            /**
             * @description Always `service_account`; other kinds are not supported.
             * @enum {string}
             */
            type: "service_account";
            /** @description Email address of the account. */
            client_email: string;
            /** @description Private key, PEM. */
            private_key: string;
            /** @description Id of the private key. */
            private_key_id?: string;
            /** @description Project of the account. */
            project_id?: string;
            /** @description URL of the token endpoint. */
            token_uri?: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A session of the user.
         * @example {
         *       "session_id": "019a0b1c2d3e7f008000000000000007",
         *       "current": true,
         *       "method": "password",
         *       "address": "192.0.2.7",
         *       "user_agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "expires_at": "2026-11-28T09:30:00.000Z"
         *     }
         */
        Session: {
            /** @description Identifier of the session. */
            session_id: string;
            /** @description True for the session of this request. */
            current: boolean;
            /**
             * @description How the user signed in: with a password, with an invitation or a link of the operator, or by single sign-on.
             * @enum {string}
             */
            method: "password" | "link" | "sso";
            /** @description IP address of the client that signed in. */
            address: string;
            /** @description User agent of that client. */
            user_agent: string | null;
            /**
             * Format: date-time
             * @description Time of the sign-in, ISO 8601, UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Expiry, ISO 8601, UTC.
             */
            expires_at: string;
        };
        /**
         * @description Your sessions.
         * @example {
         *       "sessions": [
         *         {
         *           "session_id": "019a0b1c2d3e7f008000000000000007",
         *           "current": true,
         *           "method": "password",
         *           "address": "192.0.2.7",
         *           "user_agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
         *           "created_at": "2026-11-21T09:30:00.000Z",
         *           "expires_at": "2026-11-28T09:30:00.000Z"
         *         }
         *       ]
         *     }
         */
        SessionList: {
            /** @description Sessions, newest first. */
            sessions: components["schemas"]["Session"][];
        };
        /**
         * @description Ways to sign in to this service.
         * @example {
         *       "password": true,
         *       "sso": false
         *     }
         */
        SignInMethods: {
            /** @description True if users sign in with an e-mail address and a password. */
            password: boolean;
            /** @description True if the operator configured single sign-on. */
            sso: boolean;
        };
        /**
         * @description The signed-in user. The session itself is in the cookie, which scripts cannot read.
         * @example {
         *       "session_id": "019a0b1c2d3e7f008000000000000007",
         *       "user_id": "019a0b1c2d3e7f008000000000000001",
         *       "email": "ada@example.com",
         *       "name": "Ada",
         *       "role": "member",
         *       "locale": "en",
         *       "has_password": true,
         *       "org_id": "019a0b1c2d3e7f008000000000000000",
         *       "org_name": "Example Robotics",
         *       "operates_service": true,
         *       "permissions": [
         *         "read",
         *         "write"
         *       ],
         *       "expires_at": "2026-11-28T09:30:00.000Z"
         *     }
         */
        SignedInSession: {
            /** @description Identifier of the session. */
            session_id: string;
            /** @description The signed-in user. */
            user_id: string;
            /** @description The user's e-mail address. */
            email: string;
            /** @description The user's name. */
            name: string;
            /**
             * @description `member`: reads and writes; `admin`: also manages keys and members; `owner`: also manages owners and admins.
             * @enum {string}
             */
            role: "owner" | "admin" | "member";
            /** @description The user's language as a BCP 47 tag, such as `de`; null: that of the browser. */
            locale: string | null;
            /** @description True if the user can sign in with a password. */
            has_password: boolean;
            /** @description The user's organization. */
            org_id: string;
            /** @description Name of the organization. */
            org_name: string;
            /** @description True if this is the first organization of the service, whose administrators see its workers. */
            operates_service: boolean;
            /** @description Scopes of the session, according to the user's role. */
            permissions: ("read" | "write" | "admin")[];
            /**
             * Format: date-time
             * @description Expiry of the session, ISO 8601, UTC.
             */
            expires_at: string;
        };
        /**
         * @description A signed URL for the HLS manifest of a live session.
         * @example {
         *       "url": "https://video.example/api/live/media/019a0b1c2d3e7f008000000000000070/index.m3u8?token=sx1k2a.Zm9v",
         *       "expires_at": "2026-11-21T09:45:00.000Z",
         *       "method": "GET"
         *     }
         */
        SignedManifest: {
            /** @description Short-lived signed URL of the HLS manifest; needs no key. */
            url: string;
            /**
             * Format: date-time
             * @description Expiry of the URL. Playback that has already started continues.
             */
            expires_at: string;
            /**
             * @description Always `GET`.
             * @enum {string}
             */
            method: "GET";
        };
        /**
         * @description A URL that gives access without a key until it expires.
         * @example {
         *       "url": "http://localhost:8099/api/media/0198f0a0c0de7000800000000000abcd?token=t1x2y3.signature",
         *       "expires_at": "2026-11-21T10:15:00.000Z",
         *       "method": "GET"
         *     }
         */
        SignedUrl: {
            /** @description URL that works without a key. Supports `Range` and `HEAD`. */
            url: string;
            /**
             * Format: date-time
             * @description Expiry time, ISO 8601, UTC.
             */
            expires_at: string;
            /**
             * @description Method that the URL is valid for. A URL for `GET` also allows `HEAD`.
             * @enum {string}
             */
            method: "GET" | "HEAD";
        };
        /**
         * @description A request for a signed URL. All fields are optional, and so is the body.
         * @example {
         *       "expires_in": 900,
         *       "method": "GET"
         *     }
         */
        SignedUrlRequest: {
            /** @description Kind of file: `film` (the uploaded video file), `poster` (JPEG), `frame` (JPEG; append `&t=` and a time in seconds to the URL), `storyboard` (WebVTT that refers to one JPEG of thumbnails), `captions` (WebVTT of the subtitles in the file), `clip` (MP4 from `start` to `end`) or `hls` (HLS stream that plays in every browser, whatever the codec of the video). */
            kind?: ("film" | "poster" | "frame" | "storyboard" | "captions" | "clip" | "hls") | null;
            /** @description Start of a clip in seconds from the first frame. Frame-accurate. */
            start?: number | null;
            /** @description End of a clip in seconds, at most 300 after its start. Values past the end of the video mean its end. */
            end?: number | null;
            /** @description Validity of the URL in seconds. */
            expires_in?: number | null;
            /** @description Method that the URL is valid for. A URL for `GET` also allows `HEAD`. */
            method?: ("GET" | "HEAD") | null;
            /** @description Accepted for existing clients and ignored. Use `kind` instead. */
            path?: string | null;
            /** @description Accepted for existing clients and ignored. */
            share_token?: string | null;
            /** @description Accepted for existing clients and ignored. */
            allow_sample?: boolean | null;
            /** @description Accepted for existing clients and ignored. */
            batch_id?: string | null;
        };
        /**
         * @description The results of several requests.
         * @example {
         *       "results": {
         *         "a": {
         *           "ok": true,
         *           "url": "http://localhost:8099/api/media/0198f0a0c0de7000800000000000abcd?token=t1x2y3.signature",
         *           "expires_at": "2026-11-21T10:15:00.000Z",
         *           "method": "GET"
         *         }
         *       }
         *     }
         */
        SignedUrls: {
            /** @description One result per `request_id`. */
            results: {
                [key: string]: {
                    /** @enum {boolean} */
                    ok: true;
                    /** @description URL that works without a key. Supports `Range` and `HEAD`. */
                    url: string;
                    /**
                     * Format: date-time
                     * @description Expiry time, ISO 8601, UTC.
                     */
                    expires_at: string;
                    /**
                     * @description Method that the URL is valid for. A URL for `GET` also allows `HEAD`.
                     * @enum {string}
                     */
                    method: "GET" | "HEAD";
                } | {
                    /** @enum {boolean} */
                    ok: false;
                    /** @description Error code, listed in the error reference. */
                    error: string;
                    /** @description Error message. */
                    message: string;
                    /** @description HTTP status that this request would have on its own. */
                    status: number;
                };
            };
        };
        /**
         * @description Several requests for signed URLs.
         * @example {
         *       "requests": [
         *         {
         *           "request_id": "a",
         *           "video_id": "0198f0a0c0de7000800000000000abcd",
         *           "kind": "poster"
         *         }
         *       ]
         *     }
         */
        SignedUrlsRequest: {
            /** @description The requests, 1 to 50. */
            requests: {
                /** @description Your identifier for this request. Its result is returned under it. */
                request_id: string;
                /** @description Identifier of the video. */
                video_id: string;
                /** @description Kind of file: `film` (the uploaded video file), `poster` (JPEG), `frame` (JPEG; append `&t=` and a time in seconds to the URL), `storyboard` (WebVTT that refers to one JPEG of thumbnails), `captions` (WebVTT of the subtitles in the file), `clip` (MP4 from `start` to `end`) or `hls` (HLS stream that plays in every browser, whatever the codec of the video). */
                kind?: ("film" | "poster" | "frame" | "storyboard" | "captions" | "clip" | "hls") | null;
                /** @description Start of a clip in seconds from the first frame. Frame-accurate. */
                start?: number | null;
                /** @description End of a clip in seconds, at most 300 after its start. Values past the end of the video mean its end. */
                end?: number | null;
                /** @description Validity of the URL in seconds. */
                expires_in?: number | null;
                /** @description Method that the URL is valid for. A URL for `GET` also allows `HEAD`. */
                method?: ("GET" | "HEAD") | null;
                /** @description Accepted for existing clients and ignored. Use `kind` instead. */
                path?: string | null;
                /** @description Accepted for existing clients and ignored. */
                share_token?: string | null;
                /** @description Accepted for existing clients and ignored. */
                allow_sample?: boolean | null;
                /** @description Accepted for existing clients and ignored. */
                batch_id?: string | null;
            }[];
        };
        /**
         * @description Signed URLs of a set of views.
         * @example {
         *       "primary_view_id": "019a0b1c2d3e7f008000000000000061",
         *       "views": [
         *         {
         *           "role": "front",
         *           "video_id": "019a0b1c2d3e7f008000000000000061",
         *           "label": null,
         *           "offset_s": 0,
         *           "url": "http://localhost:8099/api/media/019a0b1c2d3e7f008000000000000061?token=t1x2y3.signature",
         *           "expires_at": "2026-11-21T10:15:00.000Z"
         *         },
         *         {
         *           "role": "rear",
         *           "video_id": "019a0b1c2d3e7f008000000000000062",
         *           "label": null,
         *           "offset_s": 0.25,
         *           "url": "http://localhost:8099/api/media/019a0b1c2d3e7f008000000000000062?token=t1x2y3.signature",
         *           "expires_at": "2026-11-21T10:15:00.000Z"
         *         }
         *       ]
         *     }
         */
        SignedViews: {
            /** @description Video of the primary view. */
            primary_view_id: string;
            /** @description Views, the primary first. To play them in sync, start each `offset_s` seconds after the primary. */
            views: {
                /** @description Role of the view. */
                role: string;
                /** @description Video of the view. */
                video_id: string;
                /** @description Display label, if any. */
                label: string | null;
                /** @description Time of its first frame, in seconds after the first frame of the primary. */
                offset_s: number;
                /** @description URL that plays the view without an API key until it expires. */
                url: string;
                /**
                 * Format: date-time
                 * @description Expiry of the URL, ISO 8601, UTC.
                 */
                expires_at: string;
            }[];
        };
        /**
         * @description The address at which you sign in with the provider.
         * @example {
         *       "url": "https://login.example.com/authorize?client_id=sightline&…"
         *     }
         */
        SsoUrl: {
            /** @description Address at the provider to open in the browser. */
            url: string;
        };
        /**
         * @description The started analysis.
         * @example {
         *       "status": "processing",
         *       "analysis_id": "019a0b1c2d3e7f008000000000000011",
         *       "batch_id": "019a0b1c2d3e7f008000000000000010"
         *     }
         */
        StartedAnalysis: {
            /** @description Status of the analysis. */
            status: string;
            /** @description Identifier of the analysis; its status is at `/api/videos/{video_id}/analyses/{analysis_id}/status`. */
            analysis_id: string;
            /** @description The batch of this one analysis. */
            batch_id: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description The started import.
         * @example {
         *       "import_job_id": "ij_0a1b2c3d4e5f",
         *       "status": "importing",
         *       "total": 2,
         *       "skipped": 0,
         *       "uploaded_video_ids": [
         *         "019a0b1c2d3e7f008000000000000031",
         *         "019a0b1c2d3e7f008000000000000032"
         *       ]
         *     }
         */
        StartedImport: {
            /** @description Id of the import job: `ij_` and 12 hexadecimal digits. */
            import_job_id: string;
            /**
             * @description `importing`, then `completed` (all objects imported), `partial` (some failed), `failed` (all failed) or `cancelled`.
             * @enum {string}
             */
            status: "importing" | "completed" | "partial" | "failed" | "cancelled";
            /** @description Number of rows so far; final if the request named objects. */
            total: number;
            /** @description Number of objects so far that were already imported. */
            skipped: number;
            /** @description Ids of the videos of the named objects, in request order. Empty for a selection. */
            uploaded_video_ids: string[];
        };
        /**
         * @description A started run.
         * @example {
         *       "results": {},
         *       "run_id": "019a0b1c2d3e7f008000000000000010",
         *       "batch_id": "019a0b1c2d3e7f008000000000000010"
         *     }
         */
        StartedIndex: {
            /** @description Results by the id of the video. Videos that are still being captioned are absent. */
            results: {
                [key: string]: components["schemas"]["VideoIndex"];
            };
            /** @description Identifier of the run; null if all results are there. */
            run_id?: string | null;
            /** @description The batch that was started; null if none was. */
            batch_id?: string | null;
        };
        /**
         * @description The started session.
         * @example {
         *       "session_id": "019a0b1c2d3e7f008000000000000070",
         *       "stream_id": "gate-4",
         *       "status": "INITIALIZING",
         *       "name": "Gate 4",
         *       "video_id": "019a0b1c2d3e7f008000000000000071"
         *     }
         */
        StartedLiveSession: {
            /** @description Identifier of the session. */
            session_id: string;
            /** @description Stream of the session. */
            stream_id: string;
            /**
             * @description `INITIALIZING` until the first chunk is recorded, then `ACTIVE`; `ENDING` while the recording is finalized; at the end `FINISHED`, or `FAILED` if nothing was recorded.
             * @enum {string}
             */
            status: "INITIALIZING" | "ACTIVE" | "ENDING" | "FINISHED" | "FAILED";
            /** @description Name, for display. */
            name: string;
            /** @description Identifier of the video of the recording. */
            video_id: string;
        };
        /**
         * @description A query that was accepted.
         * @example {
         *       "stream_id": "019a0b1c2d3e7f008000000000000012",
         *       "batch_id": "019a0b1c2d3e7f008000000000000010",
         *       "status": "processing",
         *       "total": 1
         *     }
         */
        StartedQuery: {
            /** @description Stream of its events: `/api/router/v2/query/events/{stream_id}`. */
            stream_id: string;
            /** @description Batch with one analysis per video. */
            batch_id: string;
            /** @description `processing`. */
            status: string;
            /** @description Number of analyses in the batch. */
            total: number;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Runs of a saved question on existing videos.
         * @example {
         *       "batch_id": "019a0b1c2d3e7f008000000000000010",
         *       "stream_id": "019a0b1c2d3e7f008000000000000012",
         *       "total": 12,
         *       "has_more": false
         *     }
         */
        StartedSavedQuestionRuns: {
            /** @description Batch with one analysis per video. */
            batch_id: string;
            /** @description Stream of its events. */
            stream_id: string;
            /** @description Number of videos of the batch, at most 1,000. */
            total: number;
            /** @description True if further videos remain: run the question again for them. */
            has_more: boolean;
        };
        /**
         * @description A new search session.
         * @example {
         *       "session_id": "019a0b1c2d3e7f008000000000000020",
         *       "owner_uid": "019a0b1c2d3e7f008000000000000001",
         *       "session_doc_path": "search-sessions/019a0b1c2d3e7f008000000000000001/019a0b1c2d3e7f008000000000000020",
         *       "reasoning_trace_path": "search-sessions/019a0b1c2d3e7f008000000000000001/019a0b1c2d3e7f008000000000000020"
         *     }
         */
        StartedSearch: {
            /** @description Identifier of the session. */
            session_id: string;
            /** @description Owner of the session. */
            owner_uid: string;
            /** @description Path of the session, for older clients. */
            session_doc_path: string;
            /** @description The same as `session_doc_path`. */
            reasoning_trace_path: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A query that was accepted.
         * @example {
         *       "stream_id": "019a0b1c2d3e7f008000000000000080",
         *       "batch_id": "019a0b1c2d3e7f008000000000000081",
         *       "status": "processing",
         *       "total": 2
         *     }
         */
        StartedViewsQuery: {
            /** @description Stream of its events: `/api/router/v2/query/events/{stream_id}`. */
            stream_id: string;
            /** @description Batch with one analysis per view. Fuse its results when it is done. */
            batch_id: string;
            /** @description `processing`. */
            status: string;
            /** @description Number of queried views. */
            total: number;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description The service, its observers and its limits.
         * @example {
         *       "version": "0.1.0",
         *       "engine": {
         *         "version": "1",
         *         "media": "node-av"
         *       },
         *       "observers": [
         *         {
         *           "kind": "signals",
         *           "available": true,
         *           "version": "signals-1",
         *           "reason": null
         *         },
         *         {
         *           "kind": "objects",
         *           "available": false,
         *           "version": null,
         *           "reason": "The detector’s weights are missing."
         *         }
         *       ],
         *       "models": [
         *         {
         *           "name": "yolox_nano",
         *           "title": "YOLOX-Nano",
         *           "task": "objects",
         *           "license": {
         *             "name": "Apache-2.0",
         *             "url": "https://github.com/Megvii-BaseDetection/YOLOX/blob/main/LICENSE"
         *           }
         *         }
         *       ],
         *       "vision_model": null,
         *       "vision": null,
         *       "vision_profiles": [],
         *       "storage": "file",
         *       "limits": {
         *         "upload_bytes": 53687091200,
         *         "json_bytes": 1048576,
         *         "query_length": 10000,
         *         "videos_per_query": 1000,
         *         "video_seconds": 86400,
         *         "writes_per_minute": 60,
         *         "writes_per_day": 10000,
         *         "reads_per_minute": 6000
         *       }
         *     }
         */
        SystemInfo: {
            /** @description Version of the service. */
            version: string;
            /** @description The analysis engine. */
            engine: {
                /** @description Version of the analysis engine. The same version gives the same results. */
                version: string;
                /** @description Media engine that decodes video on this node. */
                media: string;
            };
            /** @description Observers of this node. */
            observers: {
                /** @description Kind of observer: `signals`, `sound`, `objects` and `telemetry` process every frame, `sounds` and `speech` the audio of videos that are queried for them, other kinds a sparse sample. */
                kind: string;
                /** @description True if the observer can run. */
                available: boolean;
                /** @description Version of the observer and of its stored observations. */
                version: string | null;
                /** @description Reason why it cannot run; null if it can. */
                reason: string | null;
            }[];
            /** @description Models that the observers can use, with their licenses. */
            models: {
                /** @description Name of the model. */
                name: string;
                /** @description Name by which its publisher calls it. */
                title: string;
                /**
                 * @description `objects`: detects objects; `sounds`: recognizes sounds; `speech`: recognizes words; `text`: reads text.
                 * @enum {string}
                 */
                task: "objects" | "sounds" | "speech" | "text";
                /** @description License of the weights. */
                license: {
                    /** @description Name of the license. */
                    name: string;
                    /** @description Text of the license. */
                    url: string;
                };
            }[];
            /** @description Vision-language model that examines frames; null if none is configured. */
            vision_model: string | null;
            /** @description Default vision-language model, as this node knows it; null if none is configured. */
            vision: {
                /** @description Name of the model. */
                model: string;
                /** @description `unknown` until this node has called it, then `ok` or `failing`. */
                state: string;
                /** @description Reason of the last failure; null after a success. */
                reason: string | null;
            } | null;
            /** @description Profiles of vision-language models, as this node knows them. */
            vision_profiles: {
                /** @description Name of the profile, for `vision_profile` of queries and folders. */
                name: string;
                /** @description Name of the model. */
                model: string;
                /** @description True if queries use it that name no other. */
                is_default: boolean;
                /** @description `unknown` until this node has called it, then `ok` or `failing`. */
                state: string;
                /** @description Reason of the last failure; null after a success. */
                reason: string | null;
                /** @description Maximum number of requests at the same time, from each node. */
                concurrency: number;
                /** @description Maximum number of images in a request. */
                max_images: number;
                /** @description Tokens that a request may have; null: no known limit. */
                context_tokens: number | null;
                /** @description Price of a million input tokens. */
                input_price: number;
                /** @description Price of a million output tokens. */
                output_price: number;
            }[];
            /** @description Storage of files: `file` (local disk) or `s3`. */
            storage: string;
            /** @description Limits of requests. */
            limits: {
                /** @description Maximum size of a video in bytes. */
                upload_bytes: number;
                /** @description Maximum size of a JSON or form body in bytes. */
                json_bytes: number;
                /** @description Maximum length of a prompt in characters. */
                query_length: number;
                /** @description Maximum number of videos of a query. */
                videos_per_query: number;
                /** @description Maximum duration of a video in seconds. */
                video_seconds: number;
                /** @description Maximum number of writes and queries per minute of one key or address. */
                writes_per_minute: number;
                /** @description The same per day. */
                writes_per_day: number;
                /** @description Maximum number of reads per minute of one key or address, on one node. */
                reads_per_minute: number;
            };
        };
        /**
         * @description The set has ended.
         * @example {
         *       "status": "unlinked",
         *       "primary_view_id": "019a0b1c2d3e7f008000000000000061"
         *     }
         */
        UnlinkedViews: {
            /**
             * @description Always `unlinked`. The videos stay.
             * @enum {string}
             */
            status: "unlinked";
            /** @description Primary video of the ended set. */
            primary_view_id: string;
        };
        /**
         * @description The parts may be in any order. A form without a file may also be URL-encoded or JSON.
         * @example {
         *       "source": "video_url",
         *       "video_url": "https://videos.example.com/junction.mp4"
         *     }
         */
        UploadForm: {
            /**
             * @description `file`: the form has the part `file`; `video_url`: the service fetches the URL.
             * @enum {string}
             */
            source: "file" | "video_url";
            /**
             * Format: binary
             * @description The video, for `source=file`. Its format is detected from its content; its file name becomes the name of the video.
             */
            file?: string;
            /** @description HTTP or HTTPS URL of a video, for `source=video_url`. Only public addresses are allowed, unless the operator allows others. */
            video_url?: string;
            /** @description Name of the video, instead of its file name. */
            custom_name?: string;
            /** @description SHA-256 of the file as 64 hexadecimal digits, for `source=file`. A file with another digest is refused. */
            sha256?: string;
            /**
             * Format: binary
             * @description Data recorded together with the video, at most 16 MiB. JSON: an object, optionally with `fields: [{name, type, unit}]` and rows in `data`, or an array of rows; CSV with a header line; or the subtitles of a drone (SRT). Rows with a time (seconds from the first frame, or dates) and a speed, acceleration, yaw rate, heading or position are telemetry, which answers prompts such as "faster than 80 km/h"; `metadata.sidecar.telemetry` reports the telemetry that was read.
             */
            metadata_file?: string;
            /**
             * @description Visibility: `user`, to you only; `org`, to the organization. Default: the scope of the folder, else `user`.
             * @enum {string}
             */
            scope?: "user" | "org";
            /** @description Folder for the video. */
            folder_id?: string;
            /** @description Accepted from existing clients and ignored: videos are not split. */
            chunk_size?: number;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description The file was stored.
         * @example {
         *       "mcap_ingest_id": "019a0b1c2d3e7f008000000000000060",
         *       "status": "uploaded"
         *     }
         */
        UploadedMcapFile: {
            /** @description Identifier of the ingest. */
            mcap_ingest_id: string;
            /** @description Always `uploaded`. */
            status: string;
        };
        /**
         * @description Usage and limits of an organization.
         * @example {
         *       "videos": 12,
         *       "bytes": 88080384,
         *       "max_videos": null,
         *       "max_bytes": 1099511627776,
         *       "vision": {
         *         "month": "2026-11",
         *         "calls": 42,
         *         "input_tokens": 161280,
         *         "output_tokens": 3120,
         *         "cost": 0.035,
         *         "max_tokens": null,
         *         "max_cost": 20
         *       }
         *     }
         */
        Usage: {
            /** @description Number of videos, including deleted ones that can be restored. */
            videos: number;
            /** @description Bytes that are stored, or reserved for running uploads. */
            bytes: number;
            /** @description Largest number of videos; null: no limit. */
            max_videos: number | null;
            /** @description Largest number of stored bytes; null: no limit. */
            max_bytes: number | null;
            /** @description Use of the vision-language model. */
            vision: {
                /** @description The current calendar month in UTC: `2026-11`. */
                month: string;
                /** @description Calls in this month; those answered from the cache do not count. */
                calls: number;
                /** @description Input tokens, as the endpoint counts them. */
                input_tokens: number;
                /** @description Output tokens. */
                output_tokens: number;
                /** @description Cost in the currency of the configured prices; 0 without prices. */
                cost: number;
                /** @description Largest number of tokens in a month; null: no limit. */
                max_tokens: number | null;
                /** @description Largest cost in a month; null: no limit. */
                max_cost: number | null;
            };
        };
        /**
         * @description The owner and the permissions of a key or session.
         * @example {
         *       "valid": true,
         *       "user_id": "019a0b1c2d3e7f008000000000000001",
         *       "uid": "019a0b1c2d3e7f008000000000000001",
         *       "email": "owner@localhost",
         *       "org_id": "019a0b1c2d3e7f008000000000000000",
         *       "key_id": "019a0b1c2d3e7f008000000000000002",
         *       "scope": [
         *         "read",
         *         "write"
         *       ],
         *       "permissions": [
         *         "read",
         *         "write"
         *       ],
         *       "expires_at": "2027-01-01T00:00:00.000Z",
         *       "folder_id": null
         *     }
         */
        VerifiedKey: {
            /**
             * @description Always true: an invalid key gets 401 or 403.
             * @enum {boolean}
             */
            valid: true;
            /** @description Owner of the key. */
            user_id: string;
            /** @description The same as `user_id`. */
            uid: string;
            /** @description The user's e-mail address. */
            email: string;
            /** @description The user's organization. */
            org_id: string;
            /** @description Identifier of the key; null in a session. */
            key_id: string | null;
            /** @description Scopes that were given to the key. */
            scope: ("read" | "write" | "admin")[];
            /** @description Effective scopes: `admin` includes `read` and `write`. */
            permissions: ("read" | "write" | "admin")[];
            /**
             * Format: date-time
             * @description Expiry of the key or session, ISO 8601, UTC.
             */
            expires_at: string;
            /** @description The only folder the key can access; null: all folders. After the deletion of the folder the key can access nothing. */
            folder_id: string | null;
        };
        /**
         * @description A video of the library.
         * @example {
         *       "video_id": "019a0b1c2d3e7f008000000000000010",
         *       "status": "uploaded",
         *       "video_name": "junction.mp4",
         *       "filename": "junction.mp4",
         *       "duration_s": 42.5,
         *       "folder_id": null,
         *       "folder_name": null,
         *       "org_id": "019a0b1c2d3e7f008000000000000000",
         *       "scope": "user",
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "size_bytes": 7340032,
         *       "source": "file",
         *       "tags": [
         *         "night"
         *       ],
         *       "metadata": {
         *         "vehicle": "A7"
         *       },
         *       "restorable_until": null
         *     }
         */
        Video: {
            /** @description Identifier of the video. */
            video_id: string;
            /**
             * @description `processing`: the upload is not complete; `uploaded`: stored and readable; `uploading_failed`: see `message`.
             * @enum {string}
             */
            status: "processing" | "uploaded" | "uploading_failed";
            /** @description Name of the video. */
            video_name: string;
            /** @description The same as `video_name`. */
            filename: string;
            /** @description Duration in seconds of presentation time; null until it is known. */
            duration_s: number | null;
            /** @description Folder of the video, if any. */
            folder_id: string | null;
            /** @description Name of the folder. */
            folder_name: string | null;
            /** @description Organization of the video. */
            org_id: string;
            /**
             * @description `user`: visible to its owner; `org`: visible to everyone in the organization; `sample`: visible to everyone in the organization, read-only.
             * @enum {string}
             */
            scope: "user" | "org" | "sample";
            /**
             * Format: date-time
             * @description Start of the upload, ISO 8601, UTC.
             */
            created_at: string;
            /** @description Size of the file in bytes. */
            size_bytes: number | null;
            /** @description Code of the reason; only if the upload failed. */
            error?: string;
            /** @description Reason as a sentence; only if the upload failed. */
            message?: string;
            /** @description Source of the video, such as `file` or `video_url`. */
            source: string;
            /** @description Tags of the video. */
            tags: string[];
            /** @description Metadata that users added. */
            metadata: {
                [key: string]: string | number | boolean;
            };
            /** @description End of the period in which a deleted video can be restored; null if it is not deleted, or erased. */
            restorable_until: string | null;
            /** @description With `include=poster`: signed URL of the poster that needs no key, valid for an hour; null unless the video is uploaded. */
            poster_url?: string | null;
            /** @description With `include=events`: events of the video. */
            events?: {
                /** @description Number of events of its analyses that you may read; the newest 1000 are counted. */
                count: number;
                /** @description Number of them on which no reviewer has decided. */
                pending: number;
                /** @description Its most frequent labels, at most three. */
                labels: {
                    /** @description The label. */
                    value: string;
                    /** @description Number of events. */
                    count: number;
                }[];
            };
        };
        /**
         * @description Changes to a video; omitted fields stay as they are.
         * @example {
         *       "name": "junction, night.mp4",
         *       "tags": [
         *         "night",
         *         "rain"
         *       ],
         *       "metadata": {
         *         "vehicle": "A7",
         *         "route": null
         *       }
         *     }
         */
        VideoChanges: {
            /** @description New name. */
            name?: string | null;
            /** @description Folder to move it into; null removes it from its folder. */
            folder_id?: string | null;
            /** @description New tags; they replace the existing ones. */
            tags?: string[] | null;
            /** @description Names and values that are merged into the metadata; null removes a name. */
            metadata?: {
                [key: string]: string | number | boolean | null;
            } | null;
        };
        /**
         * @description Numbers of videos by field, most videos first; at most 50 tags and sources. A field is counted without the filter on it (`status`, `source`, `scope`, `queried`, durations, `created_after`), so that it shows what other values would find.
         * @example {
         *       "total": 2,
         *       "is_complete": true,
         *       "statuses": [
         *         {
         *           "value": "uploaded",
         *           "count": 2
         *         }
         *       ],
         *       "sources": [
         *         {
         *           "value": "file",
         *           "count": 2
         *         }
         *       ],
         *       "scopes": [
         *         {
         *           "value": "user",
         *           "count": 2
         *         }
         *       ],
         *       "tags": [
         *         {
         *           "value": "night",
         *           "count": 1
         *         }
         *       ],
         *       "queried": 1,
         *       "not_queried": 1,
         *       "durations": [
         *         {
         *           "min_s": 0,
         *           "max_s": 60,
         *           "count": 2
         *         },
         *         {
         *           "min_s": 60,
         *           "max_s": 600,
         *           "count": 0
         *         },
         *         {
         *           "min_s": 600,
         *           "max_s": 3600,
         *           "count": 0
         *         },
         *         {
         *           "min_s": 3600,
         *           "max_s": null,
         *           "count": 0
         *         }
         *       ],
         *       "created": [
         *         {
         *           "after": "2026-11-20T09:30:00.000Z",
         *           "before": null,
         *           "count": 2
         *         },
         *         {
         *           "after": null,
         *           "before": "2026-11-20T09:30:00.000Z",
         *           "count": 0
         *         }
         *       ]
         *     }
         */
        VideoFacets: {
            /** @description Number of counted videos that match all filters. */
            total: number;
            /** @description True if all videos were counted. False: only those among the newest 10,000 of the folder, or with the name and the tag. */
            is_complete: boolean;
            /** @description Videos by status. */
            statuses: {
                /**
                 * @description `processing`: the upload is not complete; `uploaded`: stored and readable; `uploading_failed`: see `message`.
                 * @enum {string}
                 */
                value: "processing" | "uploaded" | "uploading_failed";
                /** @description Number of videos. */
                count: number;
            }[];
            /** @description Videos by source, such as `file` or `video_url`. */
            sources: {
                /** @description The value. */
                value: string;
                /** @description Number of videos. */
                count: number;
            }[];
            /** @description Videos by scope. */
            scopes: {
                /** @description The value. */
                value: string;
                /** @description Number of videos. */
                count: number;
            }[];
            /** @description Videos by tag. */
            tags: {
                /** @description The value. */
                value: string;
                /** @description Number of videos. */
                count: number;
            }[];
            /** @description Number of videos with an analysis that you may read. */
            queried: number;
            /** @description Number of videos without one. */
            not_queried: number;
            /** @description Videos by duration, shortest first. Videos whose duration is unknown are in no range. */
            durations: {
                /** @description Least duration in seconds. */
                min_s: number;
                /** @description Durations are less than this; null: no limit. */
                max_s: number | null;
                /** @description Number of videos. */
                count: number;
            }[];
            /** @description Videos by the start of their upload, newest first: of the last day, week, month and year. */
            created: {
                /** @description Start, ISO 8601, UTC; null: no limit. */
                after: string | null;
                /** @description End, ISO 8601, UTC; null: no limit. */
                before: string | null;
                /** @description Number of videos. */
                count: number;
            }[];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Captions of a video.
         * @example {
         *       "status": "completed",
         *       "grounded_caption": [
         *         {
         *           "t_start": 0,
         *           "t_end": 7,
         *           "caption": "Two people move left to right; the camera is still."
         *         }
         *       ],
         *       "batch_id": "019a0b1c2d3e7f008000000000000010",
         *       "analysis_id": "019a0b1c2d3e7f008000000000000011",
         *       "warnings": [
         *         "Captions state what observers measured."
         *       ]
         *     }
         */
        VideoIndex: {
            /**
             * @description `completed` or `failed`.
             * @enum {string}
             */
            status: "completed" | "failed";
            /** @description Captions in the order of time. */
            grounded_caption?: {
                /** @description Start in seconds from the first frame. */
                t_start: number;
                /** @description End in seconds from the first frame. */
                t_end: number;
                /** @description What is in view, in a sentence. */
                caption: string;
            }[];
            /** @description Batch of the analysis. */
            batch_id?: string;
            /** @description Analysis whose events are the captions. */
            analysis_id?: string;
            /** @description Video that was captioned instead: the primary view of the set. */
            index_video_id?: string;
            /** @description Limits of the captions. */
            warnings?: string[];
            /** @description Reason of a failure. */
            error?: string;
            /** @description Stable code of a failure. */
            error_code?: string;
        };
        /**
         * @description A page of videos.
         * @example {
         *       "videos": [
         *         {
         *           "video_id": "019a0b1c2d3e7f008000000000000010",
         *           "status": "uploaded",
         *           "video_name": "junction.mp4",
         *           "filename": "junction.mp4",
         *           "duration_s": 42.5,
         *           "folder_id": null,
         *           "folder_name": null,
         *           "org_id": "019a0b1c2d3e7f008000000000000000",
         *           "scope": "user",
         *           "created_at": "2026-11-21T09:30:00.000Z",
         *           "size_bytes": 7340032
         *         }
         *       ],
         *       "has_more": false,
         *       "next_cursor": null
         *     }
         */
        VideoList: {
            /** @description Videos, newest first. */
            videos: components["schemas"]["VideoSummary"][];
            /** @description True if more videos follow. */
            has_more: boolean;
            /** @description Value of `cursor` for the next page. */
            next_cursor: string | null;
        };
        /**
         * @description What was observed in a video, over time.
         * @example {
         *       "video_id": "019a0b1c2d3e7f008000000000000003",
         *       "from_s": 0,
         *       "to_s": 60.06,
         *       "lanes": [
         *         {
         *           "field": "motion",
         *           "unit": "share of the frame, 0 to 1",
         *           "pass": "dense",
         *           "times_s": [
         *             0,
         *             0.12
         *           ],
         *           "min": [
         *             0.01,
         *             0.02
         *           ],
         *           "max": [
         *             0.05,
         *             0.31
         *           ],
         *           "samples": 1800
         *         }
         *       ],
         *       "unavailable": [
         *         {
         *           "field": "loudness",
         *           "reason": "no_audio",
         *           "message": "This video has no audio."
         *         }
         *       ],
         *       "counted": [
         *         "count:person",
         *         "count:car"
         *       ],
         *       "coverage": [
         *         {
         *           "from_s": 0,
         *           "to_s": 60.06,
         *           "seen": "every_frame",
         *           "message": "Every frame was observed."
         *         }
         *       ]
         *     }
         */
        VideoObservations: {
            /** @description Identifier of the video. */
            video_id: string;
            /** @description Start of the range in seconds. */
            from_s: number;
            /** @description End of the range in seconds. */
            to_s: number;
            /** @description Fields with values. */
            lanes: {
                /** @description The field. */
                field: string;
                /** @description Unit and range of the values. */
                unit: string;
                /**
                 * @description `dense`: from every frame; `sparse`: from single frames some seconds apart.
                 * @enum {string}
                 */
                pass: "dense" | "sparse";
                /** @description Time of the first sample of each interval, in seconds. */
                times_s: number[];
                /** @description Least value of each interval. */
                min: number[];
                /** @description Greatest value of each interval. */
                max: number[];
                /** @description Number of stored samples between `from_s` and `to_s`. */
                samples: number;
            }[];
            /** @description Fields without values, and why. */
            unavailable: {
                /** @description The field. */
                field: string;
                /** @description `not_observed`, `needs_every_frame`, `no_detector`, `no_audio`, `none_found`, `no_telemetry` or `not_measured`. */
                reason: string;
                /** @description The reason as a sentence. */
                message: string;
            }[];
            /** @description Fields that count objects of a class in this video, most frequent class first. */
            counted: string[];
            /** @description How the parts of the range were seen. They are ascending and cover the range. */
            coverage: {
                /** @description Start in seconds. */
                from_s: number;
                /** @description End in seconds. */
                to_s: number;
                /**
                 * @description `every_frame`; `single_frames`: frames some seconds apart; `unchanged`: single frames, and the packets between them show no change; `nothing`: not observed yet, damaged, or a gap in the recording.
                 * @enum {string}
                 */
                seen: "every_frame" | "single_frames" | "unchanged" | "nothing";
                /** @description The same as a sentence. */
                message: string;
            }[];
        };
        /**
         * @description A page of the library.
         * @example {
         *       "videos": [
         *         {
         *           "video_id": "019a0b1c2d3e7f008000000000000010",
         *           "status": "uploaded",
         *           "video_name": "junction.mp4",
         *           "filename": "junction.mp4",
         *           "duration_s": 42.5,
         *           "folder_id": null,
         *           "folder_name": null,
         *           "org_id": "019a0b1c2d3e7f008000000000000000",
         *           "scope": "user",
         *           "created_at": "2026-11-21T09:30:00.000Z",
         *           "size_bytes": 7340032,
         *           "source": "file",
         *           "tags": [
         *             "night"
         *           ],
         *           "metadata": {
         *             "vehicle": "A7"
         *           },
         *           "restorable_until": null
         *         }
         *       ],
         *       "has_more": false,
         *       "next_cursor": null
         *     }
         */
        VideoPage: {
            /** @description Videos in the requested order. */
            videos: components["schemas"]["Video"][];
            /** @description True if more videos follow. */
            has_more: boolean;
            /** @description Value of `cursor` for the next page. */
            next_cursor: string | null;
        };
        /**
         * @description Results of a bulk operation.
         * @example {
         *       "results": [
         *         {
         *           "video_id": "019a0b1c2d3e7f008000000000000010",
         *           "ok": true
         *         }
         *       ]
         *     }
         */
        VideoResults: {
            /** @description One result per video, in the order of the request. A failure does not affect the others. */
            results: {
                /** @description Identifier of the video. */
                video_id: string;
                /** @description True if the operation succeeded for this video. */
                ok: boolean;
                /** @description HTTP status that the video alone would have had; only on failure. */
                status?: number;
                /** @description Code of the reason; only on failure. */
                error?: string;
                /** @description Reason as a sentence; only on failure. */
                message?: string;
            }[];
        };
        /**
         * @description Status and properties of a video.
         * @example {
         *       "video_id": "019a0b1c2d3e7f008000000000000010",
         *       "status": "uploaded",
         *       "video_name": "junction.mp4",
         *       "filename": "junction.mp4",
         *       "duration_s": 42.5,
         *       "folder_id": null,
         *       "folder_name": null,
         *       "org_id": "019a0b1c2d3e7f008000000000000000",
         *       "scope": "user",
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "tags": [
         *         "night"
         *       ],
         *       "visual_analysis": {
         *         "status": {
         *           "status": "UPLOADED"
         *         }
         *       },
         *       "metadata": {
         *         "visual_analysis": {
         *           "status": {
         *             "status": "UPLOADED"
         *           }
         *         },
         *         "chunks_total": 1,
         *         "chunks_uploaded": 1,
         *         "source": "file",
         *         "source_uri": null,
         *         "size_bytes": 7340032,
         *         "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
         *         "width": 1920,
         *         "height": 1080,
         *         "frame_rate": 30,
         *         "container": "mp4",
         *         "video_codec": "h264",
         *         "audio_codec": "aac",
         *         "recorded_at": null
         *       }
         *     }
         */
        VideoStatus: {
            /** @description Identifier of the video. */
            video_id: string;
            /**
             * @description `processing`: the upload is not complete; `uploaded`: stored and readable; `uploading_failed`: see `message`.
             * @enum {string}
             */
            status: "processing" | "uploaded" | "uploading_failed";
            /** @description Name of the video. */
            video_name: string;
            /** @description The same as `video_name`. */
            filename: string;
            /** @description Duration in seconds of presentation time; null until it is known. */
            duration_s: number | null;
            /** @description Folder of the video, if any. */
            folder_id: string | null;
            /** @description Name of the folder. */
            folder_name: string | null;
            /** @description Organization of the video. */
            org_id: string;
            /**
             * @description `user`: visible to its owner; `org`: visible to everyone in the organization; `sample`: visible to everyone in the organization, read-only.
             * @enum {string}
             */
            scope: "user" | "org" | "sample";
            /**
             * Format: date-time
             * @description Start of the upload, ISO 8601, UTC.
             */
            created_at: string;
            /** @description Code of the reason; only if the upload failed. */
            error?: string;
            /** @description Reason as a sentence; only if the upload failed. */
            message?: string;
            /** @description Tags of the video. */
            tags: string[];
            /** @description Status of the upload, where existing clients read it. Analyses do not change it. */
            visual_analysis: {
                /** @description Status of the upload. */
                status: {
                    /**
                     * @description The same status, in the form that existing clients poll for.
                     * @enum {string}
                     */
                    status: "PREPARE_IN_PROGRESS" | "UPLOADED" | "UPLOADING_FAILED";
                    /** @description Code of the reason; only if the upload failed. */
                    error?: string;
                    /** @description Reason as a sentence; only if the upload failed. */
                    message?: string;
                };
            };
            /** @description Properties of the file, and the metadata that users added. */
            metadata: {
                /** @description Status of the upload, where existing clients read it. Analyses do not change it. */
                visual_analysis: {
                    /** @description Status of the upload. */
                    status: {
                        /**
                         * @description The same status, in the form that existing clients poll for.
                         * @enum {string}
                         */
                        status: "PREPARE_IN_PROGRESS" | "UPLOADED" | "UPLOADING_FAILED";
                        /** @description Code of the reason; only if the upload failed. */
                        error?: string;
                        /** @description Reason as a sentence; only if the upload failed. */
                        message?: string;
                    };
                };
                /** @description Always 1: videos are not split. */
                chunks_total: number;
                /** @description 1 if the video is stored, else 0. */
                chunks_uploaded: number;
                /** @description Source of the video, such as `file` or `video_url`. */
                source: string;
                /** @description URI of the source, without credentials. */
                source_uri: string | null;
                /** @description Size of the file in bytes. */
                size_bytes: number | null;
                /** @description SHA-256 of the file, lower-case hex. */
                sha256: string | null;
                /** @description Width in pixels, after rotation. */
                width: number | null;
                /** @description Height in pixels, after rotation. */
                height: number | null;
                /** @description Average frames per second; null if the file does not state it. */
                frame_rate: number | null;
                /** @description Container format, detected from the content. */
                container: string | null;
                /** @description Video codec. */
                video_codec: string | null;
                /** @description Audio codec; null without audio. */
                audio_codec: string | null;
                /** @description Creation time that the file states, ISO 8601, UTC. */
                recorded_at: string | null;
                /** @description Summary of the `metadata_file`: its name, size and declared fields, and the telemetry that was read from it. */
                sidecar?: unknown;
            } & {
                [key: string]: unknown;
            };
        };
        /**
         * @description A video in a list.
         * @example {
         *       "video_id": "019a0b1c2d3e7f008000000000000010",
         *       "status": "uploaded",
         *       "video_name": "junction.mp4",
         *       "filename": "junction.mp4",
         *       "duration_s": 42.5,
         *       "folder_id": null,
         *       "folder_name": null,
         *       "org_id": "019a0b1c2d3e7f008000000000000000",
         *       "scope": "user",
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "size_bytes": 7340032
         *     }
         */
        VideoSummary: {
            /** @description Identifier of the video. */
            video_id: string;
            /**
             * @description `processing`: the upload is not complete; `uploaded`: stored and readable; `uploading_failed`: see `message`.
             * @enum {string}
             */
            status: "processing" | "uploaded" | "uploading_failed";
            /** @description Name of the video. */
            video_name: string;
            /** @description The same as `video_name`. */
            filename: string;
            /** @description Duration in seconds of presentation time; null until it is known. */
            duration_s: number | null;
            /** @description Folder of the video, if any. */
            folder_id: string | null;
            /** @description Name of the folder. */
            folder_name: string | null;
            /** @description Organization of the video. */
            org_id: string;
            /**
             * @description `user`: visible to its owner; `org`: visible to everyone in the organization; `sample`: visible to everyone in the organization, read-only.
             * @enum {string}
             */
            scope: "user" | "org" | "sample";
            /**
             * Format: date-time
             * @description Start of the upload, ISO 8601, UTC.
             */
            created_at: string;
            /** @description Size of the file in bytes. */
            size_bytes: number | null;
            /** @description Code of the reason; only if the upload failed. */
            error?: string;
            /** @description Reason as a sentence; only if the upload failed. */
            message?: string;
        };
        /**
         * @description Telemetry of a video over time.
         * @example {
         *       "video_id": "019a0b1c2d3e7f008000000000000003",
         *       "from_s": 0,
         *       "to_s": 60.06,
         *       "source": "GoPro track",
         *       "notes": [
         *         "acceleration is derived from speed"
         *       ],
         *       "fields": [
         *         {
         *           "field": "speed",
         *           "unit": "m/s",
         *           "times_s": [
         *             0,
         *             0.12
         *           ],
         *           "min": [
         *             0.01,
         *             0.02
         *           ],
         *           "max": [
         *             0.05,
         *             0.31
         *           ],
         *           "samples": 1800
         *         }
         *       ],
         *       "track": {
         *         "times_s": [
         *           0,
         *           0.12
         *         ],
         *         "latitude": [
         *           52.52,
         *           52.521
         *         ],
         *         "longitude": [
         *           13.405,
         *           13.406
         *         ]
         *       },
         *       "unavailable": []
         *     }
         */
        VideoTelemetry: {
            /** @description Identifier of the video. */
            video_id: string;
            /** @description Start of the range in seconds. */
            from_s: number;
            /** @description End of the range in seconds. */
            to_s: number;
            /** @description Source, such as `GoPro track`; null without telemetry. */
            source: string | null;
            /** @description Limits of the measurements, such as derived ones. */
            notes: string[];
            /** @description Measurements with values. */
            fields: {
                /** @description The measurement. */
                field: string;
                /** @description Unit of the values. */
                unit: string;
                /** @description Time of the first sample of each interval, in seconds. */
                times_s: number[];
                /** @description Least value of each interval. */
                min: number[];
                /** @description Greatest value of each interval. */
                max: number[];
                /** @description Number of stored samples between `from_s` and `to_s`. */
                samples: number;
            }[];
            /** @description The first position of each interval, as parallel arrays; null without positions. */
            track: {
                /** @description Time of each position, in seconds. */
                times_s: number[];
                /** @description WGS 84, in degrees. */
                latitude: number[];
                /** @description WGS 84, in degrees. */
                longitude: number[];
            } | null;
            /** @description Fields without values, and why. */
            unavailable: {
                /** @description The field. */
                field: string;
                /** @description `not_observed`, `needs_every_frame`, `no_detector`, `no_audio`, `none_found`, `no_telemetry` or `not_measured`. */
                reason: string;
                /** @description The reason as a sentence. */
                message: string;
            }[];
        };
        /**
         * @description Boxes of tracked objects in a range of a video.
         * @example {
         *       "video_id": "019a0b1c2d3e7f008000000000000003",
         *       "from_s": 0,
         *       "to_s": 60.06,
         *       "rate": 5,
         *       "pass": "dense",
         *       "model": "yolox_nano c789161ed43c",
         *       "classes": [
         *         "car"
         *       ],
         *       "unavailable": null,
         *       "tracks": [
         *         {
         *           "id": 7,
         *           "class": "car",
         *           "color": "red",
         *           "times_s": [
         *             1.2
         *           ],
         *           "boxes": [
         *             [
         *               0.1,
         *               0.4,
         *               0.2,
         *               0.1
         *             ]
         *           ],
         *           "confidence": [
         *             0.83
         *           ]
         *         }
         *       ]
         *     }
         */
        VideoTracks: {
            /** @description Identifier of the video. */
            video_id: string;
            /** @description Start of the range in seconds. */
            from_s: number;
            /** @description End of the range in seconds. */
            to_s: number;
            /** @description Maximum frames per second of this answer. */
            rate: number;
            /** @description `dense`: from every frame; `sparse`: from single frames some seconds apart. */
            pass: ("dense" | "sparse") | null;
            /** @description Name of the detector and digest of its weights. */
            model: string | null;
            /** @description Classes of all tracks of the video. */
            classes: string[];
            /** @description Tracks with boxes in the range. */
            tracks: {
                /** @description Identifier of the track within the video. */
                id: number;
                /** @description Class of the object. */
                class: string;
                /** @description Main color of the object, if it has one. */
                color: string | null;
                /** @description Time of each box, in seconds. */
                times_s: number[];
                /** @description Boxes, parallel to `times_s`. */
                boxes: number[][];
                /** @description Score of the detector, 0 to 1; 0 between two detections. */
                confidence: number[];
            }[];
            /** @description Why there are no tracks; null if the objects of the video were observed. */
            unavailable: {
                /** @description `not_observed`, `needs_every_frame`, `no_detector`, `no_audio`, `none_found`, `no_telemetry` or `not_measured`. */
                reason: string;
                /** @description The reason as a sentence. */
                message: string;
            } | null;
        };
        /**
         * @description Videos to delete.
         * @example {
         *       "video_ids": [
         *         "019a0b1c2d3e7f008000000000000010"
         *       ]
         *     }
         */
        VideosToDelete: {
            /** @description The videos; duplicates count once. */
            video_ids: string[];
            /** @description True: erase at once, without a period to restore. */
            erase?: boolean | null;
        };
        /**
         * @description Videos to caption.
         * @example {
         *       "video_ids": [
         *         "019a0b1c2d3e7f008000000000000003"
         *       ]
         *     }
         */
        VideosToIndex: {
            /** @description Identifiers of 1 to 200 videos. */
            video_ids: string[];
            /** @description Kind of footage: `driving` (default), or `construction` or `robotics`, which need a vision-language model. The modes have captions of their own. */
            mode?: ("driving" | "construction" | "robotics") | null;
            /** @description True: caption videos again that have captions, for example after a model was added. */
            refresh?: boolean | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Videos to move.
         * @example {
         *       "video_ids": [
         *         "019a0b1c2d3e7f008000000000000010"
         *       ],
         *       "folder_id": "019a0b1c2d3e7f008000000000000003"
         *     }
         */
        VideosToMove: {
            /** @description The videos; duplicates count once. */
            video_ids: string[];
            /** @description Folder to move them into; null removes them from their folders. */
            folder_id: string | null;
        };
        /**
         * @description Videos to restore.
         * @example {
         *       "video_ids": [
         *         "019a0b1c2d3e7f008000000000000010"
         *       ]
         *     }
         */
        VideosToRestore: {
            /** @description The videos; duplicates count once. */
            video_ids: string[];
        };
        /**
         * @description A set of views.
         * @example {
         *       "primary_view_id": "019a0b1c2d3e7f008000000000000061",
         *       "views": {
         *         "front": "019a0b1c2d3e7f008000000000000061",
         *         "rear": "019a0b1c2d3e7f008000000000000062"
         *       },
         *       "details": [
         *         {
         *           "role": "front",
         *           "video_id": "019a0b1c2d3e7f008000000000000061",
         *           "label": null,
         *           "offset_s": 0
         *         },
         *         {
         *           "role": "rear",
         *           "video_id": "019a0b1c2d3e7f008000000000000062",
         *           "label": null,
         *           "offset_s": 0.25
         *         }
         *       ]
         *     }
         */
        ViewSet: {
            /** @description Video of the primary view. */
            primary_view_id: string;
            /** @description Videos by role. */
            views: {
                [key: string]: string;
            };
            /** @description Views, the primary first. */
            details: {
                /** @description Role of the view. */
                role: string;
                /** @description Video of the view. */
                video_id: string;
                /** @description Display label, if any. */
                label: string | null;
                /** @description Time of its first frame, in seconds after the first frame of the primary. */
                offset_s: number;
            }[];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A page of sets of views.
         * @example {
         *       "view_sets": [
         *         {
         *           "primary_view_id": "019a0b1c2d3e7f008000000000000061",
         *           "views": {
         *             "front": "019a0b1c2d3e7f008000000000000061",
         *             "rear": "019a0b1c2d3e7f008000000000000062"
         *           },
         *           "details": [
         *             {
         *               "role": "front",
         *               "video_id": "019a0b1c2d3e7f008000000000000061",
         *               "label": null,
         *               "offset_s": 0
         *             },
         *             {
         *               "role": "rear",
         *               "video_id": "019a0b1c2d3e7f008000000000000062",
         *               "label": null,
         *               "offset_s": 0.25
         *             }
         *           ]
         *         }
         *       ],
         *       "has_more": false,
         *       "next_cursor": null
         *     }
         */
        ViewSetList: {
            /** @description Sets of views, newest primary video first. */
            view_sets: components["schemas"]["ViewSet"][];
            /** @description True if there are older ones. */
            has_more: boolean;
            /** @description Value of `cursor` for the next page. */
            next_cursor: string | null;
        };
        /**
         * @description A prompt on all views.
         * @example {
         *       "query": "a person crosses the street"
         *     }
         */
        ViewsQuery: {
            /** @description The prompt: what to find, in plain words. */
            query: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Batches to fuse.
         * @example {
         *       "batch_ids": [
         *         "019a0b1c2d3e7f008000000000000081"
         *       ]
         *     }
         */
        ViewsToFuse: {
            /** @description Batches that queried views, for example one per view. */
            batch_ids: string[];
            /** @description View of each batch, in the order of `batch_ids`, for videos that are not linked: the first videos of the batches form a set, then the second ones, with clocks that start together. Linked videos retain the roles of their set. */
            view_keys?: string[] | null;
        };
        /**
         * @description All fields are optional, and so is the body.
         * @example {
         *       "expires_in": 900
         *     }
         */
        ViewsToSign: {
            /** @description Lifetime of the URLs in seconds. */
            expires_in?: number | null;
            /** @description Kind of media, as for a single video. */
            kind?: ("film" | "hls" | "poster") | null;
        };
        /**
         * @description A webhook without its secret.
         * @example {
         *       "webhook_id": "019a0b1c2d3e7f008000000000000041",
         *       "url": "https://hooks.example.com/sightline",
         *       "description": "Night shift",
         *       "format": "standard",
         *       "event_types": [
         *         "video.ready",
         *         "event.found"
         *       ],
         *       "folder_id": null,
         *       "enabled": true,
         *       "disabled_reason": null,
         *       "failing_since": null,
         *       "previous_secret_until": null,
         *       "created_at": "2026-11-21T09:30:00.000Z"
         *     }
         */
        Webhook: {
            /** @description Identifier of the webhook. */
            webhook_id: string;
            /** @description URL that receives messages. */
            url: string;
            /** @description What the webhook is for. */
            description: string;
            /**
             * @description How messages are written; default: that of the URL, `standard` for your own endpoint. `standard`: JSON of Standard Webhooks, for your own endpoints. `slack`: A sentence and a link for incoming webhooks of Slack, Mattermost and Rocket.Chat. `discord`: The same for webhooks of Discord. `teams`: The same for webhooks of Microsoft Teams (Workflows). `ntfy`: The same for the URL of an ntfy topic. `email`: Mail to the address of a `mailto:` URL, if the operator has configured a mail server. `mqtt`: JSON to the topic of an `mqtt:` URL below `sightline/`, with discovery by Home Assistant, if the operator has configured a broker.
             * @enum {string}
             */
            format: "standard" | "slack" | "discord" | "teams" | "ntfy" | "email" | "mqtt";
            /** @description Types of messages that are sent; empty: all. */
            event_types: ("video.ready" | "video.failed" | "analysis.completed" | "analysis.failed" | "event.found" | "alert.raised" | "event.reviewed" | "batch.completed" | "import.completed" | "import.failed" | "live.event" | "live.ended" | "limit.reached")[];
            /** @description Only messages about this folder; null: all. */
            folder_id: string | null;
            /** @description False: no messages are sent or stored. */
            enabled: boolean;
            /** @description `failing`: the service disabled it after three days without a successful attempt; `removed`: the endpoint responded with status 410. Null: it is enabled, or a user disabled it. */
            disabled_reason: ("failing" | "removed") | null;
            /** @description Time of the first failed attempt since the last successful one, ISO 8601, UTC. */
            failing_since: string | null;
            /** @description Until then, messages are signed with the previous secret, too. ISO 8601, UTC. */
            previous_secret_until: string | null;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601, UTC.
             */
            created_at: string;
        };
        /**
         * @description Settings to change; others stay as they are. `folder_id: ""` removes the filter. `enabled: true` also enables a webhook that the service disabled.
         * @example {
         *       "enabled": true
         *     }
         */
        WebhookChange: {
            /** @description The new URL. */
            url?: string | null;
            /** @description How messages are written; default: that of the URL, `standard` for your own endpoint. `standard`: JSON of Standard Webhooks, for your own endpoints. `slack`: A sentence and a link for incoming webhooks of Slack, Mattermost and Rocket.Chat. `discord`: The same for webhooks of Discord. `teams`: The same for webhooks of Microsoft Teams (Workflows). `ntfy`: The same for the URL of an ntfy topic. `email`: Mail to the address of a `mailto:` URL, if the operator has configured a mail server. `mqtt`: JSON to the topic of an `mqtt:` URL below `sightline/`, with discovery by Home Assistant, if the operator has configured a broker. */
            format?: ("standard" | "slack" | "discord" | "teams" | "ntfy" | "email" | "mqtt") | null;
            /** @description What the webhook is for. */
            description?: string | null;
            /** @description Types of messages to send; default, and if empty: all, also those of later versions. */
            event_types?: ("video.ready" | "video.failed" | "analysis.completed" | "analysis.failed" | "event.found" | "alert.raised" | "event.reviewed" | "batch.completed" | "import.completed" | "import.failed" | "live.event" | "live.ended" | "limit.reached")[] | null;
            /** @description Only messages about this folder: its videos, their analyses and events, imports and live sessions into it. Batches and limits belong to no folder. Default: all. */
            folder_id?: string | null;
            /** @description False: no messages are sent or stored. Default: true. */
            enabled?: boolean | null;
        };
        /**
         * @description A message on its way to an endpoint.
         * @example {
         *       "delivery_id": "019a0b1c2d3e7f008000000000000042",
         *       "webhook_id": "019a0b1c2d3e7f008000000000000041",
         *       "message_id": "019a0b1c2d3e7f008000000000000043",
         *       "type": "video.ready",
         *       "subject": "video/019a0b1c2d3e7f008000000000000010",
         *       "status": "delivered",
         *       "attempts": 1,
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "next_attempt_at": null,
         *       "last_attempt_at": "2026-11-21T09:30:00.120Z",
         *       "duration_ms": 84,
         *       "response_status": 204,
         *       "response_excerpt": "",
         *       "error": null,
         *       "message": null
         *     }
         */
        WebhookDelivery: {
            /** @description Identifier of the delivery. */
            delivery_id: string;
            /** @description Identifier of the webhook. */
            webhook_id: string;
            /** @description The `webhook-id` of the message; the same if it is sent again. */
            message_id: string;
            /** @description Type of the message; `webhook.ping` for a test. */
            type: string;
            /** @description What the message is about, such as `video/019a…`. */
            subject: string;
            /**
             * @description `pending` until an attempt succeeds, then `delivered`; `failed` after the last attempt.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @description Number of attempts so far. */
            attempts: number;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601, UTC.
             */
            created_at: string;
            /** @description Time of the next attempt; null if there is none. */
            next_attempt_at: string | null;
            /** @description Time of the latest attempt; null before the first. */
            last_attempt_at: string | null;
            /** @description Milliseconds of the latest attempt. */
            duration_ms: number | null;
            /** @description HTTP status of the latest response; null without one. */
            response_status: number | null;
            /** @description The first 1,024 bytes of the latest response. */
            response_excerpt: string | null;
            /** @description Code of the latest failure; null without one. */
            error: string | null;
            /** @description Reason of the latest failure in a sentence; null without one. */
            message: string | null;
        };
        /**
         * @description A delivery with its message.
         * @example {
         *       "delivery_id": "019a0b1c2d3e7f008000000000000042",
         *       "webhook_id": "019a0b1c2d3e7f008000000000000041",
         *       "message_id": "019a0b1c2d3e7f008000000000000043",
         *       "type": "video.ready",
         *       "subject": "video/019a0b1c2d3e7f008000000000000010",
         *       "status": "delivered",
         *       "attempts": 1,
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "next_attempt_at": null,
         *       "last_attempt_at": "2026-11-21T09:30:00.120Z",
         *       "duration_ms": 84,
         *       "response_status": 204,
         *       "response_excerpt": "",
         *       "error": null,
         *       "message": null,
         *       "body": "{\"type\":\"video.ready\",\"timestamp\":\"2026-11-21T09:30:00.000Z\"}"
         *     }
         */
        WebhookDeliveryDetail: {
            /** @description Identifier of the delivery. */
            delivery_id: string;
            /** @description Identifier of the webhook. */
            webhook_id: string;
            /** @description The `webhook-id` of the message; the same if it is sent again. */
            message_id: string;
            /** @description Type of the message; `webhook.ping` for a test. */
            type: string;
            /** @description What the message is about, such as `video/019a…`. */
            subject: string;
            /**
             * @description `pending` until an attempt succeeds, then `delivered`; `failed` after the last attempt.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @description Number of attempts so far. */
            attempts: number;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601, UTC.
             */
            created_at: string;
            /** @description Time of the next attempt; null if there is none. */
            next_attempt_at: string | null;
            /** @description Time of the latest attempt; null before the first. */
            last_attempt_at: string | null;
            /** @description Milliseconds of the latest attempt. */
            duration_ms: number | null;
            /** @description HTTP status of the latest response; null without one. */
            response_status: number | null;
            /** @description The first 1,024 bytes of the latest response. */
            response_excerpt: string | null;
            /** @description Code of the latest failure; null without one. */
            error: string | null;
            /** @description Reason of the latest failure in a sentence; null without one. */
            message: string | null;
            /** @description The body of the message, in the format of the webhook. */
            body: string;
        };
        /**
         * @description A page of deliveries.
         * @example {
         *       "deliveries": [
         *         {
         *           "delivery_id": "019a0b1c2d3e7f008000000000000042",
         *           "webhook_id": "019a0b1c2d3e7f008000000000000041",
         *           "message_id": "019a0b1c2d3e7f008000000000000043",
         *           "type": "video.ready",
         *           "subject": "video/019a0b1c2d3e7f008000000000000010",
         *           "status": "delivered",
         *           "attempts": 1,
         *           "created_at": "2026-11-21T09:30:00.000Z",
         *           "next_attempt_at": null,
         *           "last_attempt_at": "2026-11-21T09:30:00.120Z",
         *           "duration_ms": 84,
         *           "response_status": 204,
         *           "response_excerpt": "",
         *           "error": null,
         *           "message": null
         *         }
         *       ],
         *       "has_more": false,
         *       "next_cursor": null
         *     }
         */
        WebhookDeliveryList: {
            /** @description Deliveries, newest first. */
            deliveries: components["schemas"]["WebhookDelivery"][];
            /** @description True if more deliveries follow. */
            has_more: boolean;
            /** @description Value of `cursor` for the next page. */
            next_cursor: string | null;
        };
        /**
         * @description All webhooks.
         * @example {
         *       "webhooks": [
         *         {
         *           "webhook_id": "019a0b1c2d3e7f008000000000000041",
         *           "url": "https://hooks.example.com/sightline",
         *           "description": "Night shift",
         *           "format": "standard",
         *           "event_types": [
         *             "video.ready",
         *             "event.found"
         *           ],
         *           "folder_id": null,
         *           "enabled": true,
         *           "disabled_reason": null,
         *           "failing_since": null,
         *           "previous_secret_until": null,
         *           "created_at": "2026-11-21T09:30:00.000Z"
         *         }
         *       ]
         *     }
         */
        WebhookList: {
            /** @description Webhooks of your organization, oldest first. */
            webhooks: components["schemas"]["Webhook"][];
        };
        /**
         * @description A webhook to create.
         * @example {
         *       "url": "https://hooks.example.com/sightline",
         *       "event_types": [
         *         "video.ready",
         *         "event.found"
         *       ]
         *     }
         */
        WebhookRequest: {
            /** @description Where messages go: an `https` or `http` URL without credentials receives them by POST, `mailto:ada@example.com` by mail, and `mqtt:gate/alerts` as a topic of the MQTT broker. */
            url: string;
            /** @description How messages are written; default: that of the URL, `standard` for your own endpoint. `standard`: JSON of Standard Webhooks, for your own endpoints. `slack`: A sentence and a link for incoming webhooks of Slack, Mattermost and Rocket.Chat. `discord`: The same for webhooks of Discord. `teams`: The same for webhooks of Microsoft Teams (Workflows). `ntfy`: The same for the URL of an ntfy topic. `email`: Mail to the address of a `mailto:` URL, if the operator has configured a mail server. `mqtt`: JSON to the topic of an `mqtt:` URL below `sightline/`, with discovery by Home Assistant, if the operator has configured a broker. */
            format?: ("standard" | "slack" | "discord" | "teams" | "ntfy" | "email" | "mqtt") | null;
            /** @description What the webhook is for. */
            description?: string | null;
            /** @description Types of messages to send; default, and if empty: all, also those of later versions. */
            event_types?: ("video.ready" | "video.failed" | "analysis.completed" | "analysis.failed" | "event.found" | "alert.raised" | "event.reviewed" | "batch.completed" | "import.completed" | "import.failed" | "live.event" | "live.ended" | "limit.reached")[] | null;
            /** @description Only messages about this folder: its videos, their analyses and events, imports and live sessions into it. Batches and limits belong to no folder. Default: all. */
            folder_id?: string | null;
            /** @description False: no messages are sent or stored. Default: true. */
            enabled?: boolean | null;
        };
        /**
         * @description How to rotate the secret.
         * @example {
         *       "overlap_hours": 24
         *     }
         */
        WebhookSecretRotation: {
            /** @description Hours in which messages are signed with the previous secret, too; default: 24. */
            overlap_hours?: number | null;
        };
        /**
         * @description A webhook with its new secret.
         * @example {
         *       "webhook_id": "019a0b1c2d3e7f008000000000000041",
         *       "url": "https://hooks.example.com/sightline",
         *       "description": "Night shift",
         *       "format": "standard",
         *       "event_types": [
         *         "video.ready",
         *         "event.found"
         *       ],
         *       "folder_id": null,
         *       "enabled": true,
         *       "disabled_reason": null,
         *       "failing_since": null,
         *       "previous_secret_until": null,
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
         *     }
         */
        WebhookWithSecret: {
            /** @description Identifier of the webhook. */
            webhook_id: string;
            /** @description URL that receives messages. */
            url: string;
            /** @description What the webhook is for. */
            description: string;
            /**
             * @description How messages are written; default: that of the URL, `standard` for your own endpoint. `standard`: JSON of Standard Webhooks, for your own endpoints. `slack`: A sentence and a link for incoming webhooks of Slack, Mattermost and Rocket.Chat. `discord`: The same for webhooks of Discord. `teams`: The same for webhooks of Microsoft Teams (Workflows). `ntfy`: The same for the URL of an ntfy topic. `email`: Mail to the address of a `mailto:` URL, if the operator has configured a mail server. `mqtt`: JSON to the topic of an `mqtt:` URL below `sightline/`, with discovery by Home Assistant, if the operator has configured a broker.
             * @enum {string}
             */
            format: "standard" | "slack" | "discord" | "teams" | "ntfy" | "email" | "mqtt";
            /** @description Types of messages that are sent; empty: all. */
            event_types: ("video.ready" | "video.failed" | "analysis.completed" | "analysis.failed" | "event.found" | "alert.raised" | "event.reviewed" | "batch.completed" | "import.completed" | "import.failed" | "live.event" | "live.ended" | "limit.reached")[];
            /** @description Only messages about this folder; null: all. */
            folder_id: string | null;
            /** @description False: no messages are sent or stored. */
            enabled: boolean;
            /** @description `failing`: the service disabled it after three days without a successful attempt; `removed`: the endpoint responded with status 410. Null: it is enabled, or a user disabled it. */
            disabled_reason: ("failing" | "removed") | null;
            /** @description Time of the first failed attempt since the last successful one, ISO 8601, UTC. */
            failing_since: string | null;
            /** @description Until then, messages are signed with the previous secret, too. ISO 8601, UTC. */
            previous_secret_until: string | null;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601, UTC.
             */
            created_at: string;
            /** @description The signing secret, which is shown only once. */
            secret: string;
        };
        /**
         * @description Workers of the service on all nodes.
         * @example {
         *       "workers": [
         *         {
         *           "id": "019a0b1c2d3e4f5061728394a5b6c7d8",
         *           "host": "node-1",
         *           "pid": 4711,
         *           "status": "running",
         *           "running": [
         *             {
         *               "name": "analyses.run",
         *               "count": 2
         *             }
         *           ],
         *           "started_at": "2026-11-21T08:00:00.000Z",
         *           "heartbeat_at": "2026-11-21T09:30:00.000Z"
         *         }
         *       ]
         *     }
         */
        WorkerList: {
            /** @description Workers, the oldest first, with those that stopped responding in the last 24 hours. */
            workers: {
                /** @description Identifier of the worker, new at each start. */
                id: string;
                /** @description Host name of its node. */
                host: string;
                /** @description Id of its process on the node. */
                pid: number;
                /**
                 * @description `running`, or `not_responding` if heartbeats are missing: it was killed, is frozen, or cannot reach the database. Its jobs move to other workers.
                 * @enum {string}
                 */
                status: "running" | "not_responding";
                /** @description What it runs, as of its last heartbeat. */
                running: {
                    /** @description Kind of job. */
                    name: string;
                    /** @description Number of jobs of this kind that it runs. */
                    count: number;
                }[];
                /**
                 * Format: date-time
                 * @description Start of the worker, ISO 8601, UTC.
                 */
                started_at: string;
                /**
                 * Format: date-time
                 * @description Last heartbeat, ISO 8601, UTC.
                 */
                heartbeat_at: string;
            }[];
        };
        /**
         * @description A named polygon or line in the frame, which prompts call by its name.
         * @example {
         *       "zone_id": "019a0b1c2d3e7f008000000000000061",
         *       "name": "door",
         *       "kind": "polygon",
         *       "points": [
         *         {
         *           "x": 0.1,
         *           "y": 0.4
         *         },
         *         {
         *           "x": 0.35,
         *           "y": 0.4
         *         },
         *         {
         *           "x": 0.35,
         *           "y": 0.95
         *         },
         *         {
         *           "x": 0.1,
         *           "y": 0.95
         *         }
         *       ],
         *       "video_id": "019a0b1c2d3e7f008000000000000003",
         *       "folder_id": null,
         *       "note": null,
         *       "created_by": "019a0b1c2d3e7f008000000000000001",
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "changed_at": "2026-11-21T09:30:00.000Z"
         *     }
         */
        Zone: {
            /** @description Identifier of the zone. */
            zone_id: string;
            /** @description Name of the zone in prompts. */
            name: string;
            /**
             * @description `polygon`: objects are in it, enter and leave it; `line`: they cross it.
             * @enum {string}
             */
            kind: "polygon" | "line";
            /** @description Corners of the polygon, or the two ends of the line. */
            points: components["schemas"]["ZonePoint"][];
            /** @description The video that it belongs to; null for a zone of a folder. */
            video_id: string | null;
            /** @description The folder that it belongs to; null for a zone of a video. */
            folder_id: string | null;
            /** @description Purpose of the zone. */
            note: string | null;
            /** @description User who created it. */
            created_by: string;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601, UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the latest change.
             */
            changed_at: string;
        };
        /**
         * @description Changes to a zone; omitted fields stay as they are. An empty `note` removes it.
         * @example {
         *       "name": "front door"
         *     }
         */
        ZoneChange: {
            /** @description Name of the zone in prompts ("enters zone door"), unique for the video or folder whatever the case: words of letters and digits. */
            name?: string | null;
            /** @description Two points are a line: seen from the first to the second, its inner side is on the right. Three to 32 are the corners of a polygon in order, whose sides do not cross. */
            points?: components["schemas"]["ZonePoint"][] | null;
            /** @description Purpose of the zone. */
            note?: string | null;
        };
        /**
         * @description Zones of a video or folder.
         * @example {
         *       "zones": []
         *     }
         */
        ZoneList: {
            /** @description Zones by name. A zone of the video replaces one of its folder that has its name. */
            zones: components["schemas"]["Zone"][];
        };
        /**
         * @description A point in the frame.
         * @example {
         *       "x": 0.1,
         *       "y": 0.4
         *     }
         */
        ZonePoint: {
            /** @description Fraction of the width, from the left. */
            x: number;
            /** @description Fraction of the height, from the top. */
            y: number;
        };
        /**
         * @description A zone to create, of either a video or a folder.
         * @example {
         *       "name": "door",
         *       "points": [
         *         {
         *           "x": 0.1,
         *           "y": 0.4
         *         },
         *         {
         *           "x": 0.35,
         *           "y": 0.4
         *         },
         *         {
         *           "x": 0.35,
         *           "y": 0.95
         *         },
         *         {
         *           "x": 0.1,
         *           "y": 0.95
         *         }
         *       ],
         *       "video_id": "019a0b1c2d3e7f008000000000000003"
         *     }
         */
        ZoneRequest: {
            /** @description Name of the zone in prompts ("enters zone door"), unique for the video or folder whatever the case: words of letters and digits. */
            name: string;
            /** @description Two points are a line: seen from the first to the second, its inner side is on the right. Three to 32 are the corners of a polygon in order, whose sides do not cross. */
            points: components["schemas"]["ZonePoint"][];
            /** @description The video that it holds for. */
            video_id?: string | null;
            /** @description The folder for whose videos and livestreams it holds: the recordings of one fixed camera. */
            folder_id?: string | null;
            /** @description Purpose of the zone. */
            note?: string | null;
        };
    };
    responses: {
        /** @description The request is invalid; the message names the field. */
        Error400: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The last event id must be a whole number, as in the `id:` lines of the stream.",
                 *       "message": "The last event id must be a whole number, as in the `id:` lines of the stream.",
                 *       "error": "last_id_invalid",
                 *       "request_id": "019a0b1c2d3e7f008000000000000099-4"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The key is unknown, expired or revoked, or the session has ended. */
        Error401: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "This API key is unknown.",
                 *       "message": "This API key is unknown.",
                 *       "error": "key_unknown",
                 *       "request_id": "019a0b1c2d3e7f008000000000000099-4"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description No key or session, a malformed key, a missing scope, or no access to the resource. */
        Error403: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "This request carries no API key: send it as \"Authorization: Bearer <key>\" or \"X-API-Key: <key>\".",
                 *       "message": "This request carries no API key: send it as \"Authorization: Bearer <key>\" or \"X-API-Key: <key>\".",
                 *       "error": "key_missing",
                 *       "request_id": "019a0b1c2d3e7f008000000000000099-4"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description There is nothing under this id. */
        Error404: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "There is no video with this id.",
                 *       "message": "There is no video with this id.",
                 *       "error": "video_not_found",
                 *       "request_id": "019a0b1c2d3e7f008000000000000099-4"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The request conflicts with the current state. */
        Error409: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "This Idempotency-Key was used for another request: use a new key for a new request.",
                 *       "message": "This Idempotency-Key was used for another request: use a new key for a new request.",
                 *       "error": "idempotency_conflict",
                 *       "request_id": "019a0b1c2d3e7f008000000000000099-4"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The resource was deleted. */
        Error410: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The protocol version in the headers is not spoken here. */
        Error412: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The body is too large. */
        Error413: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The body is larger than this endpoint accepts.",
                 *       "message": "The body is larger than this endpoint accepts.",
                 *       "error": "body_too_large",
                 *       "request_id": "019a0b1c2d3e7f008000000000000099-4"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The content type is not accepted here. */
        Error415: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "This endpoint does not accept this content type.",
                 *       "message": "This endpoint does not accept this content type.",
                 *       "error": "content_type_unsupported",
                 *       "request_id": "019a0b1c2d3e7f008000000000000099-4"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The requested range lies outside the file. */
        Error416: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                "API-Version": components["headers"]["API-Version"];
                "Content-Range": components["headers"]["Content-Range"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The requested range lies outside the file.",
                 *       "message": "The requested range lies outside the file.",
                 *       "error": "range_outside",
                 *       "request_id": "019a0b1c2d3e7f008000000000000099-4"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Another connection is writing to it. */
        Error423: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Too many requests; retry after the given seconds. */
        Error429: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                "API-Version": components["headers"]["API-Version"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "Too many requests: try again after the seconds that `Retry-After` says.",
                 *       "message": "Too many requests: try again after the seconds that `Retry-After` says.",
                 *       "error": "rate_limited",
                 *       "request_id": "019a0b1c2d3e7f008000000000000099-4"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The bytes do not match their checksum and were not kept. */
        Error460: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The server could not complete the request; the body carries a request id. */
        Error500: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The server could not complete the request. The request id is in the log.",
                 *       "message": "The server could not complete the request. The request id is in the log.",
                 *       "error": "internal_error",
                 *       "request_id": "019a0b1c2d3e7f008000000000000099-4"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description This service does not have it; the message says what to do instead. */
        Error501: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Another server, such as that of the URL or bucket, failed; try again. */
        Error502: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The server cannot serve this now; try again. */
        Error503: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                "API-Version": components["headers"]["API-Version"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The database does not respond. Try again in a moment.",
                 *       "message": "The database does not respond. Try again in a moment.",
                 *       "error": "database_unavailable",
                 *       "request_id": "019a0b1c2d3e7f008000000000000099-4"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Another server did not respond in time; try again. */
        Error504: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The storage is full. */
        Error507: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The disk of the database is full, so nothing was changed. Free some space, then send the request again.",
                 *       "message": "The disk of the database is full, so nothing was changed. Free some space, then send the request again.",
                 *       "error": "database_full",
                 *       "request_id": "019a0b1c2d3e7f008000000000000099-4"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Identifier of the request, as in the log: the one that the client sent if it is valid.
         * @example 019a0b1c2d3e7f008000000000000099-4
         */
        "X-Request-ID": string;
        /**
         * @description Version of the interface that responded.
         * @example 1.0.0
         */
        "API-Version": string;
        /**
         * @description Seconds to wait before the next try.
         * @example 12
         */
        "Retry-After": number;
        /**
         * @description The limits that count here: name, quota (`q`) and length of the window in seconds (`w`).
         * @example "write-minute";q=60;w=60, "write-day";q=10000;w=86400
         */
        "RateLimit-Policy": string;
        /**
         * @description Remaining quota of each limit: requests (`r`), and seconds until its window resets (`t`).
         * @example "write-minute";r=59;t=60, "write-day";r=9999;t=86400
         */
        RateLimit: string;
        /**
         * @description `true` on the answer to a repeat: it is the first one, and nothing was done again.
         * @example true
         */
        "Idempotency-Replayed": "true";
        /**
         * @description Stands for these bytes: the same as long as they are the same.
         * @example "5d41402abc4b2a76b9719d911017c592"
         */
        ETag: string;
        /**
         * @description When the bytes came to be.
         * @example Sat, 21 Nov 2026 09:30:00 GMT
         */
        "Last-Modified": string;
        /**
         * @description Parts can be asked for with `Range`.
         * @example bytes
         */
        "Accept-Ranges": "bytes";
        /**
         * @description Which bytes these are, of how many; of a range outside of the file, only how many there are.
         * @example bytes 0-1023/48120331
         */
        "Content-Range": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    followActivity: {
        parameters: {
            query?: {
                /** @description Id of the last received event; 0 or absent: only changes from now on. The header `Last-Event-ID` has the same effect. */
                last_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Follow changes: the answer. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    analyzeVideoEdge: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        /** @description The query, as older clients send it. Other fields of older clients are accepted and ignored. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["AgentForm"];
                "application/json": components["schemas"]["AgentForm"];
            };
        };
        responses: {
            /** @description The started analysis. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedAnalysis"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    analyzeVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        /** @description The query, as older clients send it. Other fields of older clients are accepted and ignored. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["AgentForm"];
                "application/json": components["schemas"]["AgentForm"];
            };
        };
        responses: {
            /** @description The started analysis. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedAnalysis"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    askVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A query for one video, as older clients send it. Other fields of older clients are accepted and ignored. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["QuestionForm"];
                "application/json": components["schemas"]["QuestionForm"];
            };
        };
        responses: {
            /** @description The started analysis. */
            202: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedAnalysis"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    askStructured: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** @description Maximum number of entries; default: 100. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
                /**
                 * @description Only entries of this action, such as `key.created`.
                 * @example key.created
                 */
                action?: string;
                /** @description Only actions of this user. */
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the audit log. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEventList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    exportAuditEvents: {
        parameters: {
            query?: {
                /** @description `ndjson`: one JSON object per line (default); `csv`: a table for spreadsheets. */
                format?: "ndjson" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole log. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    acceptLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A link and the new password. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptedLink"];
            };
        };
        responses: {
            /** @description The signed-in user. The session itself is in the cookie, which scripts cannot read. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedInSession"];
                };
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getSignInMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ways to sign in to this service. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInMethods"];
                };
            };
            500: components["responses"]["Error500"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A change of the password. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description The signed-in user. The session itself is in the cookie, which scripts cannot read. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedInSession"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Changes to your profile. Absent fields are unchanged. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ProfileChanges"];
            };
        };
        responses: {
            /** @description The signed-in user. The session itself is in the cookie, which scripts cannot read. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedInSession"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The signed-in user. The session itself is in the cookie, which scripts cannot read. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedInSession"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your sessions. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the session. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions have ended on every node. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedSessions"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Address and password of a user. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["Credentials"];
            };
        };
        responses: {
            /** @description The signed-in user. The session itself is in the cookie, which scripts cannot read. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedInSession"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions have ended on every node. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedSessions"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    signOutEverywhere: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions have ended on every node. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedSessions"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    beginSso: {
        parameters: {
            query?: {
                /** @description Path of this service to open after the sign-in; default: `/`. */
                return_to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirect to the provider. */
            302: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
        };
    };
    finishSso: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirect to the requested path. */
            302: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
        };
    };
    linkSso: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The address at which you sign in with the provider. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoUrl"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getBatchAnalyses: {
        parameters: {
            query?: {
                /** @description True: add the source of each video to its document, as `import_source_uri`. Default: false. */
                include_source_uri?: boolean;
            };
            header?: never;
            path: {
                /** @description Identifier of the batch. */
                batch_id: string;
            };
            cookie?: never;
        };
        /** @description Videos whose documents to return. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchDocumentsRequest"];
            };
        };
        responses: {
            /** @description Documents of a batch. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchDocuments"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    cancelBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the batch. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description State of a batch. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    filterBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the batch. */
                batch_id: string;
            };
            cookie?: never;
        };
        /** @description Events to return. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BatchFilter"];
            };
        };
        responses: {
            /** @description Results of a batch. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchResults"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    annotateBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the batch. */
                batch_id: string;
            };
            cookie?: never;
        };
        /** @description Metadata to merge into a batch. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchMetadataChanges"];
            };
        };
        responses: {
            /** @description Metadata of a batch. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchMetadata"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    retryBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the batch. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A query that was accepted. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedQuery"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    sortBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the batch. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Results of a batch. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchResults"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getBatchStatus: {
        parameters: {
            query?: {
                /** @description True: include `videos`. Default: true. */
                include_videos?: boolean;
            };
            header?: never;
            path: {
                /** @description Identifier of the batch. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description State of a batch. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listBatches: {
        parameters: {
            query?: {
                /** @description `user`: your personal batches; `org`: those on shared videos. Default: both. */
                scope?: "user" | "org";
                /** @description Only batches with this status. */
                status?: "processing" | "completed" | "failed" | "cancelled";
                /** @description Maximum number of batches; default: 100. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of batches. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listIntegrations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Integrations that you may use, oldest first; with an admin key, all of the organization. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createGcsIntegration: {
        parameters: {
            query?: {
                /** @description If true (the default), the integration is tested first and only saved if the bucket can be listed and read. */
                verify?: boolean;
            };
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A bucket of Google Cloud Storage. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewGcsIntegration"];
            };
        };
        responses: {
            /** @description A saved integration. Secrets are never returned. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
        };
    };
    getReaderSetup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Service account to which a bucket grants access. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReaderSetup"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
        };
    };
    createHuggingFaceIntegration: {
        parameters: {
            query?: {
                /** @description If true (the default), the integration is tested first and only saved if the bucket can be listed and read. */
                verify?: boolean;
            };
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A bucket of the Hugging Face hub. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewHuggingFaceIntegration"];
            };
        };
        responses: {
            /** @description A saved integration. Secrets are never returned. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
        };
    };
    createS3Integration: {
        parameters: {
            query?: {
                /** @description If true (the default), the integration is tested first and only saved if the bucket can be listed and read. */
                verify?: boolean;
            };
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A bucket of S3 or a compatible server. `region` is required without an `endpoint_url`. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewS3Integration"];
            };
        };
        responses: {
            /** @description A saved integration. Secrets are never returned. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
        };
    };
    createRoleIntegration: {
        parameters: {
            query?: {
                /** @description If true (the default), the integration is tested first and only saved if the bucket can be listed and read. */
                verify?: boolean;
            };
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A bucket of S3 that is read by assuming a role; no keys are stored. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRoleIntegration"];
            };
        };
        responses: {
            /** @description A saved integration. Secrets are never returned. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
        };
    };
    getRoleSetup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Identity that the role must trust. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoleSetup"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the integration. */
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A saved integration. Secrets are never returned. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the integration. */
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted integration. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedIntegration"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeIntegration: {
        parameters: {
            query?: {
                /** @description If true (the default), the integration is tested first and only saved if the bucket can be listed and read. */
                verify?: boolean;
            };
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the integration. */
                integration_id: string;
            };
            cookie?: never;
        };
        /** @description Settings to change. Omitted settings stay; null clears `prefix`, `region`, `endpoint_url` and `addressing`. Credentials are replaced as a whole. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["IntegrationChanges"];
            };
        };
        responses: {
            /** @description A saved integration. Secrets are never returned. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
        };
    };
    testIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the integration. */
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Result of a test. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationTest"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
        };
    };
    createBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A query for videos, as older clients send it. Other fields of older clients are accepted and ignored. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["BatchForm"];
                "application/json": components["schemas"]["BatchForm"];
            };
        };
        responses: {
            /** @description The new batch. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedBatch"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    createDataset: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A dataset to create. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DatasetRequest"];
            };
        };
        responses: {
            /** @description A curated dataset. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dataset"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    listDatasets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Datasets to list. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DatasetListRequest"];
            };
        };
        responses: {
            /** @description Datasets, newest first. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getDataset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the dataset. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A curated dataset. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dataset"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteDataset: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the dataset. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A deleted dataset. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedDataset"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeDataset: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the dataset. */
                dataset_id: string;
            };
            cookie?: never;
        };
        /** @description Changes of a dataset; what is omitted stays as it is. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DatasetChange"];
            };
        };
        responses: {
            /** @description A curated dataset. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dataset"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    downloadDataset: {
        parameters: {
            query?: {
                /** @description Only events with this review state. */
                approval?: "pending" | "approved" | "rejected" | "unsure";
                /** @description Share of the videos in the split `val`, 0 to 1. With this or `test_share`, each video has a `split`; the rest is `train`. */
                val_share?: number;
                /** @description Share of the videos in the split `test`, 0 to 1. */
                test_share?: number;
                /** @description Another seed draws other splits. */
                seed?: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the dataset. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where to download a dataset. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetDownload"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getDatasetFile: {
        parameters: {
            query: {
                /** @description Signature. */
                token: string;
                /** @description Only events with this review state. */
                approval?: "pending" | "approved" | "rejected" | "unsure";
                /** @description Share of the videos in the split `val`, 0 to 1. With this or `test_share`, each video has a `split`; the rest is `train`. */
                val_share?: number;
                /** @description Share of the videos in the split `test`, 0 to 1. */
                test_share?: number;
                /** @description Another seed draws other splits. */
                seed?: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the dataset. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A dataset with its results. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetFile"];
                };
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createStudioDataset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
        };
    };
    listStudioDatasets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
        };
    };
    createDirectUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description File to upload. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDirectUpload"];
            };
        };
        responses: {
            /** @description State of a direct upload. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DirectUpload"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    getDirectUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the upload. */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description State of a direct upload. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DirectUpload"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    endDirectUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the upload. */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The upload has ended. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedUpload"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    completeDirectUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the upload. */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Status and properties of a video. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoStatus"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    signUploadParts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the upload. */
                upload_id: string;
            };
            cookie?: never;
        };
        /** @description Parts to sign URLs for. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PartsToSign"];
            };
        };
        responses: {
            /** @description Signed URLs of parts. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PartUrls"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only events whose label, type or prompt contain all of these words, in any order. English words match in all of their forms; words such as "the" match nothing. */
                q?: string;
                /** @description Only events of the videos of this folder. */
                folder_id?: string;
                /** @description Only events of this video. */
                video_id?: string;
                /** @description Only events of this batch. */
                batch_id?: string;
                /** @description Only events with exactly this label. */
                label?: string;
                /** @description Only events of this kind, such as `object` or `light`. */
                type?: string;
                /** @description Only events of this severity. */
                severity?: "low" | "medium" | "high";
                /** @description Only events with at least this confidence. */
                min_confidence?: number;
                /** @description Only events with this review state. */
                approval?: "pending" | "approved" | "rejected" | "unsure";
                /** @description True: only events that people added. */
                added?: boolean;
                /** @description True: only undecided events whose reviewers disagree. */
                disputed?: boolean;
                /** @description True: only events that wait for your verdict: pending, without a verdict of yours, and assigned to nobody else. */
                to_review?: boolean;
                /** @description True: only events that are assigned to you. */
                assigned?: boolean;
                /** @description Only events of analyses that were created at this time or later, ISO 8601. */
                created_after?: string;
                /** @description Only events of analyses that were created before this time, ISO 8601. */
                created_before?: string;
                /** @description Order: newest analyses first (default), highest confidence first, or lowest confidence first (`confidence`). */
                sort?: "-created_at" | "-confidence" | "confidence";
                /** @description True: the response has `facets`. */
                facets?: boolean;
                /** @description Maximum number of events; default: 50. */
                limit?: number;
                /** @description The `next_cursor` of the previous page; requires the same `sort`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    reviewEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description One verdict on several events. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkReviewRequest"];
            };
        };
        responses: {
            /** @description Events that were changed. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewedEvents"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the event, as in lists and documents. */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An event of a completed analysis in a list. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSummary"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    reviewEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the event, as in lists and documents. */
                event_id: string;
            };
            cookie?: never;
        };
        /** @description Your verdict on an event, and corrections of it. Omitted fields stay as they are. `review.original` has what the engine reported. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EventReviewRequest"];
            };
        };
        responses: {
            /** @description An event of a completed analysis in a list. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSummary"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    listEventHistory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the event, as in lists and documents. */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What reviewers changed on an event. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventHistory"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getEvidencePicture: {
        parameters: {
            query: {
                /** @description Signature from the URL in the analysis document. */
                token: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the analysis. */
                analysis_id: string;
                /** @description File name of the image. */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                };
            };
            /** @description What the client has is still the same. */
            304: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            416: components["responses"]["Error416"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listExports: {
        parameters: {
            query?: {
                /** @description Maximum number of exports; default: 100. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of exports. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Events to export, and the format of the file. All filters must match. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportRequest"];
            };
        };
        responses: {
            /** @description An export of events. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Export"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createDatasetExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Videos and events to export. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DatasetExportRequest"];
            };
        };
        responses: {
            /** @description An export of a selection of videos and events, with one MCAP file for each video. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetExport"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getDatasetExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the export. */
                dataset_export_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An export of a selection of videos and events, with one MCAP file for each video. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetExport"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getDatasetExportFile: {
        parameters: {
            query: {
                /** @description Signature. */
                token: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the export. */
                dataset_export_id: string;
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The MCAP file. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description What the client has is still the same. */
            304: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            416: components["responses"]["Error416"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getDatasetExportManifest: {
        parameters: {
            query: {
                /** @description Signature. */
                token: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the export. */
                dataset_export_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The files of an export. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetExportManifest"];
                };
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    refreshDatasetExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the export. */
                dataset_export_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An export of a selection of videos and events, with one MCAP file for each video. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetExport"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the export. */
                export_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An export of events. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Export"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the export. */
                export_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A deleted export. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedExport"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getExportFile: {
        parameters: {
            query: {
                /** @description Signature. */
                token: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the export. */
                export_id: string;
                /** @description Name of the file. */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description What the client has is still the same. */
            304: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            416: components["responses"]["Error416"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listFolders: {
        parameters: {
            query?: {
                /** @description Only your personal folders, or only those of the organization. Default: both. */
                scope?: "user" | "org";
                /** @description Maximum number of folders; default: 100. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of folders. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FolderList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createFolder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A folder to create. Without a scope it is personal. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewFolder"];
            };
        };
        responses: {
            /** @description A folder. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Folder"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    createOrGetFolder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A folder to create. Without a scope it is personal. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewFolder"];
            };
        };
        responses: {
            /** @description A folder. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Folder"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    getFolder: {
        parameters: {
            query: {
                /** @description The name, unique per scope. Surrounding spaces are removed. */
                name: string;
                /** @description Scope to search. Default: your personal folder with this name if there is one, else the organization's. */
                scope?: "user" | "org";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A folder. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Folder"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getFolderById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the folder. */
                folder_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A folder. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Folder"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteFolder: {
        parameters: {
            query?: {
                /** @description Required if the folder contains videos: `move_to_root` keeps them, in no folder; `delete` deletes them. */
                videos?: "move_to_root" | "delete";
            };
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the folder. */
                folder_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The folder was deleted. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedFolder"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeFolder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the folder. */
                folder_id: string;
            };
            cookie?: never;
        };
        /** @description Changes to a folder; omitted fields stay as they are. A `description` of null removes it, a `retention_days` of null keeps videos for ever, a `vision_profile` of null is that of the service. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FolderChanges"];
            };
        };
        responses: {
            /** @description A folder. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Folder"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    fuseViews: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Batches to fuse. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ViewsToFuse"];
            };
        };
        responses: {
            /** @description Fused results of several views. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FusedResults"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    importFromGcs: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Objects to import: `files`, `sets`, or a selection by `prefix`, `include` and `exclude`. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FilesToImport"];
            };
        };
        responses: {
            /** @description The started import. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedImport"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
        };
    };
    getApiHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is running. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            500: components["responses"]["Error500"];
        };
    };
    importFromHuggingFace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Objects to import: `files`, `sets`, or a selection by `prefix`, `include` and `exclude`. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FilesToImport"];
            };
        };
        responses: {
            /** @description The started import. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedImport"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
        };
    };
    listImportJobs: {
        parameters: {
            query?: {
                /** @description Page size. Default 100. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of import jobs. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportJobList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    importRecordings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
        };
    };
    previewImport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A selection to preview. `source` is required if no `integration_id` is given. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SelectionToPreview"];
            };
        };
        responses: {
            /** @description A page of objects that would be imported. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportPreview"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    getImportJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the import job. */
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An import job. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportJob"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    cancelImportJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the import job. */
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An import job. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportJob"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    retryImportJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the import job. */
                job_id: string;
            };
            cookie?: never;
        };
        /** @description The rows to retry. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RowsToRetry"];
            };
        };
        responses: {
            /** @description An import job. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportJob"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    listImportJobVideos: {
        parameters: {
            query?: {
                /** @description Page size. Default 500. */
                limit?: number;
                /** @description `next_cursor` of the previous page: its last `video_id`. */
                cursor?: string;
                /** @description Number of rows to skip, instead of `cursor`. Not supported for imports of sets. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Id of the import job. */
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the rows of an import job. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportRowList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listImportSyncs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Scheduled imports that you can see. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportSyncList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createImportSync: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A selection to import on a schedule. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewImportSync"];
            };
        };
        responses: {
            /** @description A scheduled import. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportSync"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
        };
    };
    getImportSync: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the scheduled import. */
                sync_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A scheduled import. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportSync"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteImportSync: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the scheduled import. */
                sync_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted scheduled import. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedImportSync"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    runImportSync: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the scheduled import. */
                sync_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A scheduled import. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportSync"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    inferOutputSchema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A prompt that states the form of its answer. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SchemaQuery"];
            };
        };
        responses: {
            /** @description The fields that a prompt requests. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InferredSchema"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description Maximum number of invitations; default: 100. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of open invitations. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description An invitation to create. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvitation"];
            };
        };
        responses: {
            /** @description The new invitation. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedInvitation"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the invitation. */
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation was revoked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedInvitation"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description Maximum number of keys; default: 100. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A key to create. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApiKey"];
            };
        };
        responses: {
            /** @description The new key. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    verifyKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The owner and the permissions of a key or session. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifiedKey"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the key, or its first 8 characters. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A key without its value. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAgents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
        };
    };
    attachLiveStream: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A stream to create or change. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["NewLiveStream"];
                "application/json": components["schemas"]["NewLiveStream"];
            };
        };
        responses: {
            /** @description The stream was created or changed. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedLiveStream"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    endLiveSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The session to end. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["LiveSessionToEnd"];
                "application/json": components["schemas"]["LiveSessionToEnd"];
            };
        };
        responses: {
            /** @description The session ends or has ended. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedLiveSession"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    listLiveSessions: {
        parameters: {
            query?: {
                /** @description `personal`: your own sessions; `org`: sessions shared with the organization. Default: all sessions you can access. */
                scope?: "personal" | "org";
                /** @description Only sessions of this stream. */
                stream_id?: string;
                /** @description Maximum number of sessions; default: 100. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of live sessions. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveSessionList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getLiveSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the stream. */
                stream_id: string;
                /** @description Identifier of the session. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A live session with its chunks and events. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveSession"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getLiveEvidence: {
        parameters: {
            query: {
                /** @description Signature, as given in the URL. */
                token: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the session. */
                session_id: string;
                /** @description `<event>-<number>.jpg`, as given in the URL in the event. */
                picture: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A frame of an event’s evidence with its boxes, drawn on the first request. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                };
            };
            /** @description What the client has is still the same. */
            304: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            416: components["responses"]["Error416"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getLiveManifest: {
        parameters: {
            query: {
                /** @description Signature, as given in the URL. */
                token: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the session. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The multivariant playlist, which refers to the media playlist. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apple.mpegurl": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apple.mpegurl": string;
                };
            };
            /** @description What the client has is still the same. */
            304: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            416: components["responses"]["Error416"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getLivePlaylist: {
        parameters: {
            query: {
                /** @description Signature, as given in the URL. */
                token: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the session. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The media playlist: the last minutes of an active session, or a complete recording. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apple.mpegurl": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apple.mpegurl": string;
                };
            };
            /** @description What the client has is still the same. */
            304: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            416: components["responses"]["Error416"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getLivePart: {
        parameters: {
            query: {
                /** @description Signature, as given in the URL. */
                token: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the session. */
                session_id: string;
                /** @description `init-<number>.mp4` or `<number>.m4s`, as given in the playlist. */
                part: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An initialization section or a segment of the playlist. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "video/*": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "video/*": string;
                };
            };
            /** @description What the client has is still the same. */
            304: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            416: components["responses"]["Error416"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    followLiveSession: {
        parameters: {
            query?: {
                /** @description Id of the last received event; 0 for all events. A `Last-Event-ID` header has the same effect. */
                last_id?: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the session. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Follow a session: the answer. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    askLiveSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the session. */
                session_id: string;
            };
            cookie?: never;
        };
        /** @description A change of the query of a session. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["LiveQueryChange"];
                "application/json": components["schemas"]["LiveQueryChange"];
            };
        };
        responses: {
            /** @description The query of a session, which applies from the next chunk. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveQuery"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    signLiveManifest: {
        parameters: {
            query?: {
                /** @description Lifetime of the URL in seconds, 60 to 3600; default: 900. */
                expires_in?: number;
            };
            header?: never;
            path: {
                /** @description Identifier of the session. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A signed URL for the HLS manifest of a live session. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedManifest"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    startLiveSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A live session to start. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["NewLiveSession"];
                "application/json": components["schemas"]["NewLiveSession"];
            };
        };
        responses: {
            /** @description The started session. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedLiveSession"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    getStudioFacets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the dataset. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
        };
    };
    filterStudioDataset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the dataset. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
        };
    };
    resolveStudioCriteria: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the dataset. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
        };
    };
    searchStudioDataset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the dataset. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
        };
    };
    getStudioFilterSchema: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the dataset. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
        };
    };
    addStudioTaxonomy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the dataset. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
        };
    };
    publishStudioTaxonomy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the dataset. */
                dataset_id: string;
                /** @description Identifier of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
        };
    };
    getStudioTaxonomy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the dataset. */
                dataset_id: string;
                /** @description Identifier of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
        };
    };
    listMcapIngests: {
        parameters: {
            query?: {
                /** @description Maximum number of ingests; default: 100. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of ingests. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McapIngestList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    startMcapCloudIngest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Recordings in a bucket. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["McapFilesToImport"];
            };
        };
        responses: {
            /** @description An import of recordings. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McapImportJob"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    createMcapIngest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A recording to upload. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewMcapIngest"];
            };
        };
        responses: {
            /** @description An ingest whose file is to be uploaded. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedMcapIngest"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    getMcapImportJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the import job. */
                mcap_import_job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An import of recordings. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McapImportJob"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getMcapIngest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the ingest. */
                ingest_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An ingest with the views of its recording. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McapIngest"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    uploadMcapFile: {
        parameters: {
            query: {
                /** @description The token in `upload_url`. */
                token: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the ingest. */
                ingest_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file was stored. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadedMcapFile"];
                };
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            410: components["responses"]["Error410"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    processMcapIngest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the ingest. */
                ingest_id: string;
            };
            cookie?: never;
        };
        /** @description Roles and labels of channels. All fields and the body itself are optional. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChannelRoles"];
            };
        };
        responses: {
            /** @description An ingest with the views of its recording. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McapIngest"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    stitchMcapViews: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the ingest. */
                ingest_id: string;
            };
            cookie?: never;
        };
        /** @description Roles and labels of channels. All fields and the body itself are optional. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChannelRoles"];
            };
        };
        responses: {
            /** @description An ingest with the views of its recording. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McapIngest"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    playVideo: {
        parameters: {
            query: {
                /** @description Signature, part of the signed URL. */
                token: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The uploaded video file. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "video/*": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "video/*": string;
                };
            };
            /** @description What the client has is still the same. */
            304: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            416: components["responses"]["Error416"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getCaptions: {
        parameters: {
            query: {
                /** @description Signature, part of the signed URL. */
                token: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The first track of text subtitles in the video file, as WebVTT. If the file has none, the transcript of what is spoken, once the video was queried for speech; without captions otherwise. Subtitles that are images are not read. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "text/vtt": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "text/vtt": string;
                };
            };
            /** @description What the client has is still the same. */
            304: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            416: components["responses"]["Error416"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getClip: {
        parameters: {
            query: {
                /** @description Signature, part of the signed URL. */
                token: string;
                /** @description Start of the clip in seconds, part of the signed URL. */
                start: number;
                /** @description End of the clip in seconds, part of the signed URL. */
                end: number;
            };
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The range that the URL was signed for, as MP4 (H.264, AAC), frame-accurate. The first request waits until the clip is encoded. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "video/mp4": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "video/mp4": string;
                };
            };
            /** @description What the client has is still the same. */
            304: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            416: components["responses"]["Error416"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getFrame: {
        parameters: {
            query: {
                /** @description Signature, part of the signed URL. */
                token: string;
                /** @description Time of the frame in seconds from the first one. The frame shown at this time is returned. */
                t?: number;
            };
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The frame shown at a given time, in full size, as JPEG. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                };
            };
            /** @description What the client has is still the same. */
            304: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            416: components["responses"]["Error416"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getPlaylist: {
        parameters: {
            query: {
                /** @description Signature, part of the signed URL. */
                token: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description HLS playlist with fragmented MP4 segments. They contain the original packets if browsers play the codec, and are encoded as H.264 otherwise. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apple.mpegurl": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apple.mpegurl": string;
                };
            };
            /** @description What the client has is still the same. */
            304: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            416: components["responses"]["Error416"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getSegment: {
        parameters: {
            query: {
                /** @description Signature, part of the signed URL. */
                token: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
                /** @description File name from the playlist. */
                segment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file of the playlist: `init.mp4` or a segment. The first request for a segment waits until it is generated. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "video/*": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "video/*": string;
                };
            };
            /** @description What the client has is still the same. */
            304: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            416: components["responses"]["Error416"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getPoster: {
        parameters: {
            query: {
                /** @description Signature, part of the signed URL. */
                token: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A frame from near the beginning as JPEG. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                };
            };
            /** @description What the client has is still the same. */
            304: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            416: components["responses"]["Error416"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getStoryboardPicture: {
        parameters: {
            query: {
                /** @description Signature, part of the signed URL. */
                token: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All thumbnails in one JPEG. The storyboard gives the area of each, and the token. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                };
            };
            /** @description What the client has is still the same. */
            304: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            416: components["responses"]["Error416"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getStoryboard: {
        parameters: {
            query: {
                /** @description Signature, part of the signed URL. */
                token: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description WebVTT with one thumbnail per interval of the video, as an area of `storyboard.jpg`. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "text/vtt": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "text/vtt": string;
                };
            };
            /** @description What the client has is still the same. */
            304: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            416: components["responses"]["Error416"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description Maximum number of members; default: 100. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of members. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the member. */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A member of the organization. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the member. */
                user_id: string;
            };
            cookie?: never;
        };
        /** @description The new role of a member. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoleChange"];
            };
        };
        responses: {
            /** @description A member of the organization. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    listViewSets: {
        parameters: {
            query?: {
                /** @description Only the set that contains this video. */
                video_id?: string;
                /** @description Maximum number of sets; default: 100. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sets of views. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ViewSetList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    stitchViews: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Videos of one event from several cameras. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewViewSet"];
            };
        };
        responses: {
            /** @description A set of views. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ViewSet"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    getViews: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Any video of the set. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A set of views. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ViewSet"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    unlinkViews: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Any video of the set. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The set has ended. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnlinkedViews"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    queryViews: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Any video of the set. */
                video_id: string;
            };
            cookie?: never;
        };
        /** @description A prompt on all views. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ViewsQuery"];
            };
        };
        responses: {
            /** @description A query that was accepted. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedViewsQuery"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    signViews: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Any video of the set. */
                video_id: string;
            };
            cookie?: never;
        };
        /** @description All fields are optional, and so is the body. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ViewsToSign"];
            };
        };
        responses: {
            /** @description Signed URLs of a set of views. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedViews"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listVideos: {
        parameters: {
            query?: {
                /** @description Name of a folder; default: all videos that you can see. A personal folder takes precedence over one of the organization. */
                folder?: string;
                /** @description Only personal videos, only those of the organization, or only samples (created on first use). Default: personal ones and those of the organization. */
                scope?: "user" | "org" | "sample";
                /** @description Maximum number of videos; default: 1,000. `has_more` is true if more follow. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of videos. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your organization. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    renameOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Changes to the organization. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationChanges"];
            };
        };
        responses: {
            /** @description Your organization. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    transferOwnership: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A transfer of ownership to another member. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["OwnershipTransfer"];
            };
        };
        responses: {
            /** @description A member of the organization. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    getStudioDataset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the dataset. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
        };
    };
    getSampleUrl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    assignEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Events to assign for a time, so that two people do not review the same ones. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssignmentRequest"];
            };
        };
        responses: {
            /** @description Result of an assignment. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssignedEvents"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    getFolderReview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the folder. */
                folder_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How the events of a folder are reviewed, and how far reviewers agree. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FolderReview"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    setFolderReview: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the folder. */
                folder_id: string;
            };
            cookie?: never;
        };
        /** @description How the events of a folder are reviewed. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewPolicyRequest"];
            };
        };
        responses: {
            /** @description How the events of a folder are reviewed, and how far reviewers agree. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FolderReview"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    releaseEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Events whose assignment ends. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReleaseRequest"];
            };
        };
        responses: {
            /** @description Result of an assignment. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssignedEvents"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    getReviewScores: {
        parameters: {
            query?: {
                /** @description Only this prompt. */
                query?: string;
                /** @description Only events of the videos of this folder. */
                folder_id?: string;
                /** @description Only events of this batch. */
                batch_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How good the answers to prompts are, from reviews. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewScores"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    undoReview: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events that were changed. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewedEvents"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    startFastQuery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A prompt on one or more videos. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["Query"];
            };
        };
        responses: {
            /** @description A query that was accepted. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedQuery"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    followQuery: {
        parameters: {
            query?: {
                /** @description Id of the last received event; 0 for all events. The header `Last-Event-ID` has the same effect. */
                last_id?: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the stream. */
                stream_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Follow a query: the answer. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    planQuery: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A query that is not run. The videos are optional. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["QueryPreviewRequest"];
            };
        };
        responses: {
            /** @description A query that was understood but not run. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryPreview"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    startQuery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A prompt on one or more videos. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["Query"];
            };
        };
        responses: {
            /** @description A query that was accepted. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedQuery"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    streamQuery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A prompt on one or more videos. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["Query"];
            };
        };
        responses: {
            /** @description Query videos and stream the events: the answer. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    importFromS3: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Objects to import: `keys`, `sets`, or a selection by `prefix`, `include` and `exclude`. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["KeysToImport"];
            };
        };
        responses: {
            /** @description The started import. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedImport"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
        };
    };
    listSavedQuestions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All saved questions. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedQuestionList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createSavedQuestion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A question to save. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SavedQuestionRequest"];
            };
        };
        responses: {
            /** @description A question that runs by itself on new videos. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedQuestion"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    getSavedQuestion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the saved question. */
                saved_question_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A question that runs by itself on new videos. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedQuestion"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteSavedQuestion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the saved question. */
                saved_question_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A deleted saved question. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedSavedQuestion"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeSavedQuestion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the saved question. */
                saved_question_id: string;
            };
            cookie?: never;
        };
        /** @description Settings to change; others stay as they are. `folder_id: ""` removes the folder, and a time in the past for `snoozed_until` ends the snooze. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SavedQuestionChange"];
            };
        };
        responses: {
            /** @description A question that runs by itself on new videos. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedQuestion"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    runSavedQuestion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the saved question. */
                saved_question_id: string;
            };
            cookie?: never;
        };
        /** @description How to run a saved question on existing videos. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SavedQuestionRunRequest"];
            };
        };
        responses: {
            /** @description Runs of a saved question on existing videos. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedSavedQuestionRuns"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    listSavedQuestionRuns: {
        parameters: {
            query?: {
                /** @description Maximum number of runs; default: 100. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the saved question. */
                saved_question_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runs. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedQuestionRunList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    runSearch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The search to run. Other fields of older clients are accepted and ignored. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["SearchToRun"];
                "application/json": components["schemas"]["SearchToRun"];
            };
        };
        responses: {
            /** @description The search is completed. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompletedSearch"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    startSearch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A search among the events of a folder. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSearch"];
            };
        };
        responses: {
            /** @description A new search session. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedSearch"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    getSearch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Owner of the session. */
                owner_uid: string;
                /** @description Identifier of the session. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A search and its result. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchSession"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    uploadSegmenterData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
        };
    };
    trainSegmenter: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
        };
    };
    getSegmenterTraining: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the job. */
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
        };
    };
    getSystem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service, its observers and its limits. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SystemInfo"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Models that the engine can use. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    downloadModel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The model to download. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModelToDownload"];
            };
        };
        responses: {
            /** @description A model that the engine can use. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Model"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    removeModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of the model.
                 * @example yolox_nano
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A model that the engine can use. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Model"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    cancelModelDownload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of the model.
                 * @example yolox_nano
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A model that the engine can use. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Model"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    provideModelFile: {
        parameters: {
            query?: {
                /** @description Expected SHA-256 of the file, hexadecimal. Another file is refused. */
                sha256?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Name of the model.
                 * @example yolox_nano
                 */
                name: string;
                /**
                 * @description Name of the file.
                 * @example yolox_nano.onnx
                 */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A model that the engine can use. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Model"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    listQueues: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Background jobs of the service by kind. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueueList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listWorkers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Workers of the service on all nodes. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkerList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
        };
    };
    uploadVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The parts may be in any order. A form without a file may also be URL-encoded or JSON. */
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["UploadForm"];
                "application/x-www-form-urlencoded": components["schemas"]["UploadForm"];
                "application/json": components["schemas"]["UploadForm"];
            };
        };
        responses: {
            /** @description Status and properties of a video. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoStatus"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
        };
    };
    createResumableUpload: {
        parameters: {
            query?: never;
            header: {
                /** @description Version of the tus protocol. */
                "tus-resumable": "1.0.0";
                /** @description Size of the whole file in bytes. */
                "upload-length": string;
                /** @description Names with base64 values: `filename`, and optionally `custom_name`, `scope`, `folder_id` and `sha256`, as in `POST /api/upload-video`. */
                "upload-metadata"?: string;
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No body; the result is in the headers. */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    describeResumableUploads: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No body; the result is in the headers. */
            204: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Error500"];
        };
    };
    endResumableUpload: {
        parameters: {
            query?: never;
            header: {
                /** @description Version of the tus protocol. */
                "tus-resumable": "1.0.0";
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the upload. */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No body; the result is in the headers. */
            204: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            412: components["responses"]["Error412"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    continueResumableUpload: {
        parameters: {
            query?: never;
            header: {
                /** @description Version of the tus protocol. */
                "tus-resumable": "1.0.0";
                /** @description Offset of the chunk: the number of bytes stored so far. */
                "upload-offset": string;
                /** @description `sha1`, `sha256` or `md5`, and the digest of the chunk in base64. A chunk with another digest is not stored. */
                "upload-checksum"?: string;
            };
            path: {
                /** @description Identifier of the upload. */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No body; the result is in the headers. */
            204: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            423: components["responses"]["Error423"];
            429: components["responses"]["Error429"];
            460: components["responses"]["Error460"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Usage and limits of an organization. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    signVideoUrls: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Several requests for signed URLs. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignedUrlsRequest"];
            };
        };
        responses: {
            /** @description The results of several requests. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedUrls"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteVideo: {
        parameters: {
            query?: {
                /** @description True: erase at once, without a period to restore. */
                erase?: boolean;
            };
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The video was deleted. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedVideo"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        /** @description Changes to a video; omitted fields stay as they are. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["VideoChanges"];
            };
        };
        responses: {
            /** @description A video of the library. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Video"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    getLatestAnalysis: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An analysis document. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnalysisDocument"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    putMetadataFile: {
        parameters: {
            query?: {
                /** @description Display name of the file. */
                filename?: string;
            };
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        /** @description The file; its format is detected from its content. */
        requestBody: {
            content: {
                "application/octet-stream": string;
                "application/json": string;
                "text/csv": string;
                "application/x-subrip": string;
            };
        };
        responses: {
            /** @description Status and properties of a video. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoStatus"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    restoreVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A video of the library. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Video"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    signVideoUrl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        /** @description A request for a signed URL. All fields are optional, and so is the body. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SignedUrlRequest"];
            };
        };
        responses: {
            /** @description A URL that gives access without a key until it expires. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedUrl"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getVideoStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Status and properties of a video. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoStatus"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    searchVideos: {
        parameters: {
            query?: {
                /** @description Only videos of this folder. */
                folder_id?: string;
                /** @description Only videos of the folder with this name. A personal folder takes precedence over one of the organization. */
                folder?: string;
                /** @description Only personal videos, or only those of the organization. Default: both. */
                scope?: "user" | "org";
                /** @description `processing`: the upload is not complete; `uploaded`: stored and readable; `uploading_failed`: see `message`. */
                status?: "processing" | "uploaded" | "uploading_failed";
                /** @description Only videos whose name contains this text, ignoring case. */
                name?: string;
                /** @description A tag. Surrounding spaces are removed. */
                tag?: string;
                /** @description Only videos from this source, such as `file` or `video_url`. */
                source?: string;
                /** @description Only videos whose upload started at this time or later, ISO 8601. */
                created_after?: string;
                /** @description Only videos whose upload started before this time, ISO 8601. */
                created_before?: string;
                /** @description True: deleted videos that can still be restored, instead of existing ones. */
                deleted?: boolean;
                /** @description True: only videos with an analysis that you may read. False: only videos without one. */
                queried?: boolean;
                /** @description Only videos of at least this duration in seconds. */
                min_duration_s?: number;
                /** @description Only videos that are shorter than this, in seconds. */
                max_duration_s?: number;
                /** @description More fields of each video: `poster` for `poster_url`, `events` for `events`; both: `poster,events`. */
                include?: string;
                /** @description Order; a leading minus means descending. Default: `-created_at`, newest first. A duration that is not known yet counts as 0. */
                sort?: "-created_at" | "created_at" | "name" | "-name" | "duration_s" | "-duration_s";
                /** @description Maximum number of videos; default: 100. */
                limit?: number;
                /** @description The `next_cursor` of the previous page; requires the same `sort`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the library. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoPage"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteVideos: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Videos to delete. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["VideosToDelete"];
            };
        };
        responses: {
            /** @description Results of a bulk operation. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoResults"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    countVideos: {
        parameters: {
            query?: {
                /** @description Only videos of this folder. */
                folder_id?: string;
                /** @description Only videos of the folder with this name. A personal folder takes precedence over one of the organization. */
                folder?: string;
                /** @description Only personal videos, or only those of the organization. Default: both. */
                scope?: "user" | "org";
                /** @description `processing`: the upload is not complete; `uploaded`: stored and readable; `uploading_failed`: see `message`. */
                status?: "processing" | "uploaded" | "uploading_failed";
                /** @description Only videos whose name contains this text, ignoring case. */
                name?: string;
                /** @description A tag. Surrounding spaces are removed. */
                tag?: string;
                /** @description Only videos from this source, such as `file` or `video_url`. */
                source?: string;
                /** @description Only videos whose upload started at this time or later, ISO 8601. */
                created_after?: string;
                /** @description Only videos whose upload started before this time, ISO 8601. */
                created_before?: string;
                /** @description True: deleted videos that can still be restored, instead of existing ones. */
                deleted?: boolean;
                /** @description True: only videos with an analysis that you may read. False: only videos without one. */
                queried?: boolean;
                /** @description Only videos of at least this duration in seconds. */
                min_duration_s?: number;
                /** @description Only videos that are shorter than this, in seconds. */
                max_duration_s?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Numbers of videos by field, most videos first; at most 50 tags and sources. A field is counted without the filter on it (`status`, `source`, `scope`, `queried`, durations, `created_after`), so that it shows what other values would find. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoFacets"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    indexVideos: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Videos to caption. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["VideosToIndex"];
            };
        };
        responses: {
            /** @description A started run. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedIndex"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    resolveIndexVideos: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Videos to caption. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["VideosToIndex"];
            };
        };
        responses: {
            /** @description Videos that would be captioned. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IndexTargets"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getIndexStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Videos whose captions are awaited. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["IndexRun"];
            };
        };
        responses: {
            /** @description Results so far. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IndexStatus"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    moveVideos: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Videos to move. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["VideosToMove"];
            };
        };
        responses: {
            /** @description Results of a bulk operation. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoResults"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    restoreVideos: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Videos to restore. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["VideosToRestore"];
            };
        };
        responses: {
            /** @description Results of a bulk operation. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoResults"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    listAnalyses: {
        parameters: {
            query?: {
                /** @description Maximum number of analyses; default: 100. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the analyses of a video. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnalysisList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getAnalysis: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
                /** @description Identifier of the analysis. */
                analysis_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An analysis document. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnalysisDocument"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteAnalysis: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the video. */
                video_id: string;
                /** @description Identifier of the analysis. */
                analysis_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A deleted analysis. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAnalysis"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    addEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the video. */
                video_id: string;
                /** @description Identifier of the analysis. */
                analysis_id: string;
            };
            cookie?: never;
        };
        /** @description An event that the analysis missed. Without a severity it is `medium`. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewEvent"];
            };
        };
        responses: {
            /** @description An event of a completed analysis in a list. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSummary"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    getAnalysisThumbnails: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
                /** @description Identifier of the analysis. */
                analysis_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events of an analysis with the URLs of their images. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnalysisThumbnails"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getAnalysisStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
                /** @description Identifier of the analysis. */
                analysis_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Status of an analysis. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnalysisStatus"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getCausation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
        };
    };
    getVideoIndex: {
        parameters: {
            query?: {
                /** @description Kind of footage: `driving` (default), or `construction` or `robotics`, which need a vision-language model. The modes have captions of their own. */
                mode?: "driving" | "construction" | "robotics";
            };
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Captions of a video. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoIndex"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getVideoIndexVtt: {
        parameters: {
            query?: {
                /** @description Kind of footage: `driving` (default), or `construction` or `robotics`, which need a vision-language model. The modes have captions of their own. */
                mode?: "driving" | "construction" | "robotics";
            };
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the captions of a video as WebVTT: the answer. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/vtt": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getObservations: {
        parameters: {
            query?: {
                /** @description Fields, separated by commas: `motion`, `camera_motion`, `brightness`, `contrast`, `sharpness`, `cuts`, `loudness`, `peak`, and `count:CLASS` for the number of objects of a class, such as `count:person`. At most 16. Default: all, with the eight most frequent classes. */
                fields?: string;
                /** @description Start in seconds of the video; default: 0. */
                from?: number;
                /** @description End in seconds; default: the end of the video. */
                to?: number;
                /** @description Maximum number of intervals per field; default: 500. */
                points?: number;
                /** @description `json` (default), or `csv`: a table for spreadsheets, with a row per field and interval. */
                format?: "json" | "csv";
            };
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Each field is reduced to at most `points` intervals of equal length with the least and the greatest value (min–max downsampling), so that no peak is lost; with fewer samples than intervals, every value is exact. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoObservations"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getTelemetry: {
        parameters: {
            query?: {
                /** @description Fields, separated by commas: `speed`, `acceleration`, `yaw_rate`, `heading`, `altitude`. Default: all. */
                fields?: string;
                /** @description Start in seconds of the video; default: 0. */
                from?: number;
                /** @description End in seconds; default: the end of the video. */
                to?: number;
                /** @description Maximum number of intervals per field; default: 500. */
                points?: number;
                /** @description `json` (default), or `csv`: a table for spreadsheets, with a row per field and interval. */
                format?: "json" | "csv";
            };
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Each field is reduced to at most `points` intervals of equal length with the least and the greatest value (min–max downsampling), so that no peak is lost; with fewer samples than intervals, every value is exact. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoTelemetry"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getTracks: {
        parameters: {
            query?: {
                /** @description Start in seconds of the video; default: 0. */
                from?: number;
                /** @description End in seconds, at most 600 after `from`; default: 60 after it. */
                to?: number;
                /** @description Only objects of these classes, separated by commas, such as `person,car`; default: all. */
                classes?: string;
                /** @description Maximum frames per second; default: 5, which is every frame that the detector sees. Lowered if the answer would have more than 20,000 boxes. */
                rate?: number;
            };
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Boxes of tracked objects in a range of a video. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoTracks"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getTrajectory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
                /** @description Name of the tool. */
                tool: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All webhooks. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A webhook to create. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookRequest"];
            };
        };
        responses: {
            /** @description A webhook with its new secret. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A webhook without its secret. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A deleted webhook. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedWebhook"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        /** @description Settings to change; others stay as they are. `folder_id: ""` removes the filter. `enabled: true` also enables a webhook that the service disabled. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookChange"];
            };
        };
        responses: {
            /** @description A webhook without its secret. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description `pending` until an attempt succeeds, then `delivered`; `failed` after the last attempt. */
                status?: "pending" | "delivered" | "failed";
                /** @description Maximum number of deliveries; default: 100. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the webhook. */
                webhook_id: string;
                /** @description Identifier of the delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A delivery with its message. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetail"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    resendWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the webhook. */
                webhook_id: string;
                /** @description Identifier of the delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A message on its way to an endpoint. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    pingWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A message on its way to an endpoint. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        /** @description How to rotate the secret. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookSecretRotation"];
            };
        };
        responses: {
            /** @description A webhook with its new secret. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    listZones: {
        parameters: {
            query?: {
                /** @description Zones that hold for this video: its own and those of its folder. */
                video_id?: string;
                /** @description Zones of this folder. */
                folder_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Zones of a video or folder. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ZoneList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createZone: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A zone to create, of either a video or a folder. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ZoneRequest"];
            };
        };
        responses: {
            /** @description A named polygon or line in the frame, which prompts call by its name. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Zone"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    getZone: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the zone. */
                zone_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A named polygon or line in the frame, which prompts call by its name. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Zone"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteZone: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the zone. */
                zone_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A deleted zone. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedZone"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeZone: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the zone. */
                zone_id: string;
            };
            cookie?: never;
        };
        /** @description Changes to a zone; omitted fields stay as they are. An empty `note` removes it. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ZoneChange"];
            };
        };
        responses: {
            /** @description A named polygon or line in the frame, which prompts call by its name. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Zone"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is running. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            500: components["responses"]["Error500"];
        };
    };
    callMcp: {
        parameters: {
            query?: {
                /** @description True: also tools that set verdicts, if the key has the scope `write`. Default: false. */
                write?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A JSON-RPC message of the Model Context Protocol. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["McpMessage"];
            };
        };
        responses: {
            /** @description Use MCP tools: the answer. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpResponse"];
                    "text/event-stream": string;
                };
            };
            /** @description The notification was accepted. */
            202: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service can handle requests. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "API-Version": components["headers"]["API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
}
