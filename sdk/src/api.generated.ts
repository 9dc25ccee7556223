// Generated from server/openapi.json.

export interface paths {
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
         * Ask a video what an agent looks for, as older clients do
         * @description Starts an analysis of one video; poll its document until it is completed.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * Ask a video what happens, as older clients do
         * @description Starts an analysis of one video; poll its document until it is completed.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * Ask a video a question, as older clients do
         * @description Starts an analysis of one video; its status has the events and the answer once it is completed.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Not part of this service: always 501, with a sentence on what to do instead.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Who did what with the keys, sessions, members, integrations and scheduled imports of your organisation, on what, when and from where, newest first.
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
         * @description Streams the whole log of your organisation, oldest first, as JSON lines or as a table.
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
         * Follow a link
         * @description Follows an invitation, the first owner's link, or a link to a new password: sets the password, begins a session and sets its cookie. A link works once.
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
         * @description Sets another password. All your other sessions end; this browser gets a new one.
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
    "/api/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who is signed in
         * @description Says who is signed in in this browser, and what they may do.
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
         * @description Lists where you are signed in.
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
         * @description Signs out one browser of yours.
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
         * @description Begins a session and sets its cookie. A wrong password and an unknown address get the same answer. Attempts are limited for each address and each account.
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
         * @description Ends all your sessions, this one too. Keys go on.
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
         * @description Leads the browser to the provider that the operator set up (OpenID Connect).
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
         * The way back from the provider
         * @description The provider leads the browser here: begins a session and sets its cookie.
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
         * @description Lead the browser to the URL in the answer: who it is there can sign in as you from then on.
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
         * @description Returns the documents of up to 500 videos of a batch in one answer.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
         */
        post: operations["getBatchAnalyses"];
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
         * @description Returns the results that have events in the named states of approval, with those events alone.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
         * Note something on a batch
         * @description Adds names and values to a batch of your own; those that are there are replaced, others stay.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
         */
        post: operations["annotateBatch"];
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
         * @description Returns all results. Each event says how rare its kind is in the batch, as `uniqueness_rating` from 0 to 1 with `uniqueness_reasoning`; the rarest come first, and of equally rare ones the most certain.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Says how many analyses have ended, and how each stands. What is counted as completed can be read.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Tries the service account on the bucket and saves it sealed.
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
         * @description Tries the token on the bucket and saves it sealed.
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
         * @description Tries the keys on the bucket and saves them sealed. R2, MinIO and others are named by `endpoint_url`.
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
         * @description Tries to assume the role and to read the bucket in it. No key is stored.
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
         * @description Returns the identity of this deployment and the trust policy that a role in your AWS account needs. 409 says what the operator has to configure first.
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
         * @description Deletes it with its secrets and the scheduled imports that use it; 409 while an import with it is running. Only for who made it, or an admin key.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        delete: operations["deleteIntegration"];
        options?: never;
        head?: never;
        /**
         * Change an integration
         * @description Renames it, points it elsewhere or replaces its credentials; only for who made it, or an admin key.
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
         * Try an integration
         * @description Lists one object and reads one byte of it. What the provider refuses is said in the answer, which is 200.
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
         * @description Not part of this service: always 501, with a sentence on what to do instead.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
         * Ask videos a question, as older clients do
         * @description The same as `/api/router/v2/query/start`, as a form.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
         */
        post: operations["createBatch"];
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
         * Begin a direct upload
         * @description Begins an upload whose parts you send to the S3 storage yourself, each by PUT to its URL, in any order and as many at once as you like; then complete it. Room for it is held free until then, or until `expires_at`. Where the service keeps its files on its own disk this is 409: upload in one request or by the tus protocol there.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * How far a direct upload is
         * @description Says which parts have arrived: those that are missing are what is left to send.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
         */
        get: operations["getDirectUpload"];
        put?: never;
        post?: never;
        /**
         * End a direct upload
         * @description What came of it is removed. One that is complete is a video and stays.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Makes a video of the parts, once all are there. One that is not readable, or not what its `sha256` says, is refused here and leaves nothing behind; a large one may be `processing` for a while after the answer.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Returns a URL for each part that is asked for. It holds for an hour and takes exactly that part.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
         */
        post: operations["signUploadParts"];
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
         * Get an evidence picture
         * @description A JPEG of one evidence frame with its boxes, under the signed URL that an analysis document gives. It is drawn when it is first asked for, and kept. `HEAD`, `If-None-Match` and `Range` work. An altered or expired URL is 403; a picture of a deleted video, or of a place where the video is damaged, is 404.
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
    "/api/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List folders
         * @description Lists your personal folders and the organisation's, by name.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
         */
        get: operations["listFolders"];
        put?: never;
        /**
         * Create a folder
         * @description Makes a personal or an organisation folder. A name that is taken in its scope is 409.
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
         * @description Returns the folder of this name and scope and makes it when there is none; safe when many ask at once.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Returns the folder of this name in this scope.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
         */
        get: operations["getFolderById"];
        put?: never;
        post?: never;
        /**
         * Delete a folder
         * @description Deletes a folder. One that holds videos goes only with a word on what becomes of them; else it is 409.
         *
         *     Needs a key with the scope `write`, or a session.
         */
        delete: operations["deleteFolder"];
        options?: never;
        head?: never;
        /**
         * Rename or change a folder
         * @description Changes the name, the description, or how long videos are kept. A name that is taken in its scope is 409.
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
         * Tell what several views saw once
         * @description Fuses the events of batches that asked views: events of one category that overlap on the clock of the primary view, within a second, are one event with a list of views, unless the things in them differ by class or plainly by colour, or, where they rest on no things, by label. Where cameras stand is not known: two things alike at the same time are told as one.
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
         * @description Each named object is asked for at once. What cannot be read is a row that failed, with its reason; when nothing can, the answer is 400 with the reason. The rest is brought in the background: follow it with the rows of the job. An object that you can see imported already, in the same version, is not imported again: its row says so with the id of its video, unless `force` is given.
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
         * Is the process up
         * @description Answers as long as the process runs; it asks nothing of database or storage. For liveness probes.
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
         * @description Each named object is asked for at once. What cannot be read is a row that failed, with its reason; when nothing can, the answer is 400 with the reason. The rest is brought in the background: follow it with the rows of the job. An object that you can see imported already, in the same version, is not imported again: its row says so with the id of its video, unless `force` is given.
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
         * @description Returns your import jobs and those of the organisation, newest first.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        get: operations["listImportJobs"];
        put?: never;
        post?: never;
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
         * See what an import would bring
         * @description Lists what fits a selection, a page at a time, and imports nothing.
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
         * @description Returns how an import stands.
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
         * @description Ends it: what has come stays, the other rows fail. 409 when it has ended already.
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
         * Try failed rows again
         * @description Brings what failed once more, under the same ids, and goes on listing where that was broken off. 409 while it is running, or when nothing failed.
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
         * @description Returns a page of the rows of an import: each object with the id of its video, how it stands and, if it failed, why. The order never changes; rows are added at the end while the bucket is listed.
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
         * @description Returns your scheduled imports and those of the organisation.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        get: operations["listImportSyncs"];
        put?: never;
        /**
         * Schedule an import
         * @description Imports a selection again and again, each time what is new: objects that were not there before, or have another version (ETag) or size. The first run begins within a minute.
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
         * @description Returns it with its last run and when it is due.
         *
         *     Needs a key with the scope `read`, or a session.
         */
        get: operations["getImportSync"];
        put?: never;
        post?: never;
        /**
         * Delete a scheduled import
         * @description Ends the schedule. A run that is going on goes on; what was brought stays.
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
         * @description Makes it due at once, also one that has stopped; while its last run is going on it begins after that.
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
    "/api/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List open invitations
         * @description Lists invitations of your organisation that nobody followed yet.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite someone
         * @description Makes a link by which someone joins your organisation. Send it to them: it is in this answer and nowhere else. An earlier invitation of the same address ends. Only an owner invites owners.
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
         * @description Its link works no more.
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
         * @description Lists the keys of your own user, newest first; for admins, all of the organisation.
         *
         *     Needs a valid key or a session, whatever its scopes.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key
         * @description Makes a key of your own user; one with the scope `admin` only for admins. Its full value is in this answer and nowhere else. A repeat with the same `Idempotency-Key` makes no second key, but cannot show the first one again: it is 409 and names its id.
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
         * @description Says whose key this is and what it may do. Needs a valid key of any scope, and no body. In a session it says who is signed in.
         *
         *     Needs a valid key or a session, whatever its scopes. A key limited to a folder reaches what lies in it.
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
         * @description Revokes a key of your own or, for admins, of anyone in the organisation: final, and on every node within a second. Revoking it again changes nothing.
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
         * @description Not part of this service: always 501, with a sentence on what to do instead.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
         * Name a stream
         * @description Makes a stream that sessions can be started under, or gives it another name and source.
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
         * @description Ends the session; its recording becomes a video within seconds. Again is no error.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Sessions that go on and that have ended, without their chunks and events.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description How the session stands, its last chunks, what is missing, and all that was found.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
         * Get a picture of an event of a live session
         * @description A frame of an event’s evidence with its boxes, drawn when it is first fetched. `Range`, `If-None-Match` and `HEAD` work. An expired or altered URL is 403.
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
         * Get the manifest of a live session by its signed URL
         * @description The multivariant playlist, which names the stream. `Range`, `If-None-Match` and `HEAD` work. An expired or altered URL is 403.
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
         * Get the playlist of a live session
         * @description The media playlist: the last minutes while the session goes on, all of it afterwards. `Range`, `If-None-Match` and `HEAD` work. An expired or altered URL is 403.
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
         * Get a segment of a live session
         * @description What the playlist names: an initialisation section or a segment. `Range`, `If-None-Match` and `HEAD` work. An expired or altered URL is 403.
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
         * @description Streams what happens in a session: the events after `last_id`, then what comes, until the session is over.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
         * Change what a session looks for
         * @description From now on, while the session goes on. What was told stays, and what is looked for as before goes on as before. 409 when the session is over.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * Signed live manifest
         * @description Creates a short-lived signed URL for a live session HLS manifest. It plays without a key, live while the session goes on and as a film afterwards; the playlist inside carries a token of its own, so that who plays goes on.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
         * Follow a livestream
         * @description A worker connects to the source, records it and looks for what the query asks. The session goes on until it is ended, or the source is gone for too long. 429 when the organisation follows as many as it may.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
         */
        post: operations["startLiveSession"];
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
         * @description Starts MCAP ingest from an existing S3 integration; integrations of the other types work as well. Each file becomes an ingest of its own, is brought here and processed. A file that you can see imported already, in the same version, is skipped: its earlier ingest stands in the answer, unless `force` is given.
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
         * Begin the ingest of a recording
         * @description Returns where to PUT the bytes of an MCAP recording. When they are here, have it processed. An ingest whose file does not come, or that nobody has processed, for two days has failed, and its file is removed.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Says how the import stands, and each of its files.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Says how the ingest stands, what the recording holds, and what became of each channel.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
         * Send the bytes of a recording
         * @description Takes the whole file in one request. What has another size or digest than was announced is not kept, and can be sent again.
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
         * Make videos of a recording
         * @description Begins to make a video of each channel of pictures, with the telemetry of the recording. Poll the ingest. Once it has begun this gives roles, as stitch does.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Applies explicit front-channel and role metadata to an MCAP ingest: its videos become views of one happening, one of them primary. Channels without a role get what their topic suggests, never against what is given. Can be repeated with other roles; nothing is decoded again. While the recording is processed the roles are kept for when it is done.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description The film itself. `Range`, `If-Range`, `If-None-Match` and `HEAD` work. An expired or altered URL is 403.
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
    "/api/media/{video_id}/clip.mp4": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Play a clip of a video by its signed URL
         * @description The stretch that the URL was given for, as MP4 (H.264, AAC), exact to the frame. The first request waits until it is cut. `Range`, `If-Range`, `If-None-Match` and `HEAD` work. An expired or altered URL is 403.
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
         * @description The frame on screen at a time, in full size, as JPEG. `Range`, `If-Range`, `If-None-Match` and `HEAD` work. An expired or altered URL is 403.
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
         * @description The playlist of the film as an HLS stream of fragmented MP4, copied from the film where browsers play its codec, encoded as H.264 elsewhere. `Range`, `If-Range`, `If-None-Match` and `HEAD` work. An expired or altered URL is 403.
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
         * @description What the playlist names: `init.mp4` or a segment. The first request for a segment waits until it is made. `Range`, `If-Range`, `If-None-Match` and `HEAD` work. An expired or altered URL is 403.
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
         * @description A frame from near the beginning as JPEG. `Range`, `If-Range`, `If-None-Match` and `HEAD` work. An expired or altered URL is 403.
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
         * @description All thumbnails in one JPEG; the storyboard says where each is and which token to use. `Range`, `If-Range`, `If-None-Match` and `HEAD` work. An expired or altered URL is 403.
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
         * @description WebVTT: for each stretch of the video a thumbnail, as an area of `storyboard.jpg`. `Range`, `If-Range`, `If-None-Match` and `HEAD` work. An expired or altered URL is 403.
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
         * @description Lists the people of your organisation.
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
         * @description Their sessions and the invitations they made end at once, their keys within a second; what they made stays. One owner stays.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change a member's role
         * @description Takes effect on their sessions at once and on their keys within a second. Only an owner makes or changes owners; one owner stays.
         *
         *     Needs a key with the scope `admin`, or a session of an admin or owner.
         */
        patch: operations["changeRole"];
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
         * Link videos as views of one happening
         * @description Makes videos the views of one set, one of them primary. Whatever sets they were in end. Can be repeated with other roles, labels or offsets; labels that are left out stay.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * Get the views of a happening
         * @description Returns the set that a video is a view of.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
         */
        get: operations["getViews"];
        put?: never;
        post?: never;
        /**
         * End a set of views
         * @description Its videos stay, each on its own.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * Ask all views a question
         * @description Starts one analysis per view of the set in one batch, as the start endpoint does. When the batch is done, `POST /api/fuse_multiview_results` tells each happening once, with the views that saw it.
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
         * @description Returns a signed URL for each view of the set, with its offset. A view that is not ready is 409.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Lists the videos that you see, newest first: your own and those of the organisation; with an admin key, all of the organisation.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
         * Your organisation
         * @description The organisation that everything you see belongs to.
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
         * Rename your organisation
         * @description Gives it another name.
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
         * Hand over ownership
         * @description Makes another member owner and you, an owner, an admin. For owners.
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
         * Ask videos a question, quickly
         * @description Like the start endpoint, in fast mode. Where every frame of a video was looked at already, that answers. Otherwise one sparse look does: a picture every two seconds where anything changes, and all of the sound. Its findings are told less surely; `coverage` tells how far apart its pictures are, and what such a look cannot tell and thinking mode can. A thinking answer, once there is one, takes its place.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Streams the events of a query: those after `last_id`, then what comes, until the query has ended.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
         * Ask videos a question
         * @description Starts one analysis per video and returns at once. Follow the stream, or poll the batch. A repeat with the same `Idempotency-Key` returns the same batch.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * Ask videos a question and follow the answer
         * @description Starts one analysis per video and streams what happens in the same response. The analyses go on when the client leaves; a repeat with the same `Idempotency-Key`, or the events endpoint, takes the stream up again.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Each named object is asked for at once. What cannot be read is a row that failed, with its reason; when nothing can, the answer is 400 with the reason. The rest is brought in the background: follow it with the rows of the job. An object that you can see imported already, in the same version, is not imported again: its row says so with the id of its video, unless `force` is given.
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
         * @description Runs the search of a session; when this answers, the session has the result.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * Start a search among events
         * @description Opens a session for a search among the events that analyses of a folder’s videos have told.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Returns the session, with the matches in videos that you still see. Sessions are kept for 30 days.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
    "/api/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What this service is
         * @description Version, engine, what can be observed and why the rest cannot, and every limit.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Not part of this service: always 501, with a sentence on what to do instead.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Takes a video as a file or by its URL. A file is stored and readable (`uploaded`) when the answer comes; a URL is when it is fetched within ten seconds, else the answer says `processing` and the status tells how it goes on. What is refused leaves nothing behind.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * Begin a resumable upload
         * @description Begins an upload by the tus protocol 1.0, for any tus client: it survives a break of the connection, of the client and of the service. `Location` says where its pieces go; the last part of it is also the id of the video.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
         */
        post: operations["createResumableUpload"];
        delete?: never;
        /**
         * What of tus 1.0 is spoken
         * @description The headers `Tus-Version`, `Tus-Extension`, `Tus-Checksum-Algorithm` and `Tus-Max-Size` say it.
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
         * @description What came of it is removed. One that is complete is a video and stays.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
         */
        delete: operations["endResumableUpload"];
        options?: never;
        head?: never;
        /**
         * Send a piece of a resumable upload
         * @description Adds a piece where the upload ends. What came before a break is kept, and `HEAD` says how much that is. With the last piece the upload becomes a video: one that is not readable is refused here and leaves nothing behind; a large one may be `processing` for a while after the answer.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * What your organisation takes up
         * @description Says how many videos there are and how many bytes are stored or held free for uploads under way, and how much there may be. The same bytes count once, however many videos have them; deleted videos count until they are erased.
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
         * Get many such URLs at once
         * @description Each request has a result of its own: one that fails does not fail the others.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Deletes a video with its file and everything that was found in it. It is gone for everyone at once; analyses of it that run end as failed. Until `restorable_until` it can be restored with what was found in it; then all of it is erased.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
         */
        delete: operations["deleteVideo"];
        options?: never;
        head?: never;
        /**
         * Rename, move, tag or describe a video
         * @description Changes what is named and leaves the rest. Moved into a folder of the organisation, a video is seen by everyone in it; back into a personal folder it cannot go.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * Get the newest analysis document of a video
         * @description Like the analysis document, for the analysis of this video that was asked for last.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
         * Put what was recorded beside a video
         * @description Takes what `metadata_file` takes in `POST /api/upload-video`, as the whole body: for uploads in pieces, direct uploads and imports as soon as the video has its id, and for videos that are there. It replaces the one that was there; what was found from that stays, the next question reads the new one.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Brings a deleted video back with what was found in it, into its folder if that is there still and its `retention_days` are not over. Analyses that ran when it was deleted have failed: ask again.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Returns a URL that plays the video, or shows a picture of it, without a key until it expires. It is good for that one kind only. A video that is not ready is 409.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Says whether a video has arrived, what it is, and, when it could not be stored, why.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Lists the videos that you see, filtered and sorted, page by page. All filters must hold. A page costs the same however many videos there are, unless few of them pass the filters.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Deletes each as deleting it alone would, and says what became of each.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
         */
        post: operations["deleteVideos"];
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
         * @description Moves each into a folder, or out of the one it lies in, and says what became of each.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Restores each as restoring it alone would, and says what became of each.
         *
         *     Needs a key with the scope `write`, or a session. A key limited to a folder reaches what lies in it.
         */
        post: operations["restoreVideos"];
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
         * @description Returns the document with events, answer, coverage and plan. While the analysis runs, the document says `PROCESSING` and has no events.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
         */
        get: operations["getAnalysis"];
        put?: never;
        post?: never;
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
         * Get the pictures of an analysis
         * @description Returns the events with the signed URL of a picture each. The pictures are drawn when they are fetched, so this makes nothing and can be repeated.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
         * @description Says how far an analysis is, and its events once it is completed.
         *
         *     Needs a key with the scope `read`, or a session. A key limited to a folder reaches what lies in it.
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
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Is the process up
         * @description Answers as long as the process runs; it asks nothing of database or storage. For liveness probes.
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
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Can requests be served
         * @description Checks what serving needs (database, storage, room on the local disks) and answers 503 naming what is missing. For load balancers.
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
         * @description Every error has this shape.
         * @example {
         *       "detail": "There is no video with this id.",
         *       "message": "There is no video with this id.",
         *       "error": "video_not_found"
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
            /** @description Only from status 500 on: quote it to whoever runs the service; it is in the log. */
            request_id?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description What a prompt asks for, in terms that can be looked for. */
        Plan: {
            /** @enum {number} */
            version: 1;
            /** @description The prompt. */
            query: string;
            /** @description Null for none. */
            question: ("describe" | "count" | "how_often" | "yes_no" | "when" | "where" | "which_way" | "which_color" | "how_long" | "time_between") | null;
            /** @description For `count`: also how many in each stretch of this many seconds. */
            per?: number;
            /** @description The part of the video to look at; null for all of it. */
            window: {
                /** @description Seconds from the start; negative: from the end. */
                from: number;
                /** @description Seconds from the start; negative: from the end; null: to the end. */
                to: number | null;
            } | null;
            searches: {
                /** @description The words of the prompt. */
                text: string;
                /** @description One happening, or several in sequence. */
                steps: {
                    /** @description The words of the prompt. */
                    text: string;
                    /** @description What to look for. */
                    what: {
                        /** @enum {string} */
                        kind: "object";
                        /** @description A thing to look for. */
                        subject: {
                            /** @description The words of the prompt, or any name. */
                            text: string;
                            /** @description The detector's classes that count as this thing, any of them; empty for any thing at all. */
                            classes: string[];
                            /** @description Names of colours, any of them; empty for any colour. */
                            colors: string[];
                            count: {
                                /** @description At least this many at the same time. */
                                min: number;
                                /** @description At most this many at the same time; null for no limit. */
                                max: number | null;
                            };
                            /** @description Null for either. */
                            state: ("stationary" | "moving") | null;
                            /** @description Where its centre has to be; null for anywhere. */
                            place: ({
                                /** @description What it is called: `left`, `top right`, or any name. */
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
                                /** @description What it is called: `left`, `top right`, or any name. */
                                name: string;
                                /** @description Corners, in order around it. */
                                points: {
                                    /** @description Fraction of the width. */
                                    x: number;
                                    /** @description Fraction of the height. */
                                    y: number;
                                }[];
                            }) | null;
                            /** @description True: only while somebody rides it: a cyclist. */
                            ridden?: boolean;
                        };
                        /**
                         * @description What it does.
                         * @enum {unknown}
                         */
                        action: "present" | "appears" | "disappears" | "enters" | "leaves" | "crosses" | "moves" | "stops" | "starts" | "stands" | "loiters" | "approaches" | "passes" | "overtakes" | "follows" | "close_ahead" | "left_behind" | "taken_away";
                        /** @description True: the thing is there and does not do it ("a person who does not move"). Not the same as a negated step: nobody moves. */
                        idle: boolean;
                        /** @description Which way it moves; null for any. */
                        direction: ("left" | "right" | "up" | "down" | "towards" | "away") | null;
                        /** @description The edge it comes in over; null for any. */
                        from: ("left" | "right" | "top" | "bottom") | null;
                        /** @description The edge it goes out over; null for any. */
                        to: ("left" | "right" | "top" | "bottom") | null;
                        /** @description A line in the picture that the centre of a thing `crosses`; without one, the middle of the picture. */
                        line?: {
                            /** @description What it is called: `left`, `top right`, or any name. */
                            name: string;
                            /** @description A point in the picture. */
                            from: {
                                /** @description Fraction of the width. */
                                x: number;
                                /** @description Fraction of the height. */
                                y: number;
                            };
                            /** @description A point in the picture. */
                            to: {
                                /** @description Fraction of the width. */
                                x: number;
                                /** @description Fraction of the height. */
                                y: number;
                            };
                        };
                        /** @description A place in the picture, a rectangle or a polygon: of a thing, where its centre has to be; of what it does, what its centre `enters`, `leaves` or `crosses` instead of the whole picture. */
                        region?: {
                            /** @description What it is called: `left`, `top right`, or any name. */
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
                            /** @description What it is called: `left`, `top right`, or any name. */
                            name: string;
                            /** @description Corners, in order around it. */
                            points: {
                                /** @description Fraction of the width. */
                                x: number;
                                /** @description Fraction of the height. */
                                y: number;
                            }[];
                        };
                        /** @description Null when no other thing matters. */
                        relation: {
                            /**
                             * @description How it stands to the other thing, in the picture.
                             * @enum {unknown}
                             */
                            kind: "near" | "too_close_to" | "with" | "overlaps" | "in_front_of" | "behind" | "left_of" | "right_of" | "above" | "below" | "on" | "inside";
                            /** @description A thing to look for. */
                            other: {
                                /** @description The words of the prompt, or any name. */
                                text: string;
                                /** @description The detector's classes that count as this thing, any of them; empty for any thing at all. */
                                classes: string[];
                                /** @description Names of colours, any of them; empty for any colour. */
                                colors: string[];
                                count: {
                                    /** @description At least this many at the same time. */
                                    min: number;
                                    /** @description At most this many at the same time; null for no limit. */
                                    max: number | null;
                                };
                                /** @description Null for either. */
                                state: ("stationary" | "moving") | null;
                                /** @description Where its centre has to be; null for anywhere. */
                                place: ({
                                    /** @description What it is called: `left`, `top right`, or any name. */
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
                                    /** @description What it is called: `left`, `top right`, or any name. */
                                    name: string;
                                    /** @description Corners, in order around it. */
                                    points: {
                                        /** @description Fraction of the width. */
                                        x: number;
                                        /** @description Fraction of the height. */
                                        y: number;
                                    }[];
                                }) | null;
                                /** @description True: only while somebody rides it: a cyclist. */
                                ridden?: boolean;
                            };
                            /** @description True: while that is not so. */
                            negated: boolean;
                        } | null;
                    } | {
                        /** @enum {string} */
                        kind: "signal";
                        /**
                         * @description What the picture does.
                         * @enum {unknown}
                         */
                        signal: "cut" | "dissolve" | "fade" | "fade_in" | "fade_out" | "scene_change" | "dark" | "well_lit" | "bright" | "overexposed" | "gets_dark" | "gets_bright" | "light_change" | "flash" | "flicker" | "monochrome" | "color_cast" | "black" | "frozen" | "blurred" | "covered" | "shaking";
                    } | {
                        /** @enum {string} */
                        kind: "motion";
                        /** @description Where; null for anywhere. */
                        place: ({
                            /** @description What it is called: `left`, `top right`, or any name. */
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
                            /** @description What it is called: `left`, `top right`, or any name. */
                            name: string;
                            /** @description Corners, in order around it. */
                            points: {
                                /** @description Fraction of the width. */
                                x: number;
                                /** @description Fraction of the height. */
                                y: number;
                            }[];
                        }) | null;
                    } | {
                        /** @enum {string} */
                        kind: "camera";
                        /**
                         * @description What the camera, or the vehicle that carries it, does.
                         * @enum {unknown}
                         */
                        move: "moves" | "still" | "pans" | "tilts" | "turns" | "rolls" | "zooms" | "forward" | "backward" | "stops" | "starts" | "brakes";
                        /** @description Null for any. */
                        direction: ("left" | "right" | "up" | "down" | "in" | "out") | null;
                        /** @description True: only when it does so hard: braking, or a sharp turn. */
                        hard?: boolean;
                    } | {
                        /** @enum {string} */
                        kind: "sound";
                        /**
                         * @description What is heard.
                         * @enum {unknown}
                         */
                        sound: "silence" | "sound" | "loud" | "bang";
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
                        kind: "notable";
                    } | {
                        /** @enum {string} */
                        kind: "unknown";
                    };
                    /** @description True: look for when it is not so. */
                    negated: boolean;
                    /** @description How long it has to last, in seconds; null for the default of what is looked for. */
                    duration: {
                        /** @description At least this; null for no lower limit. */
                        min: number | null;
                        /** @description At most this; null for no upper limit. */
                        max: number | null;
                    } | null;
                    /** @description How it is tied to the step before; null for the first step. */
                    join: ("then" | "while") | null;
                    /** @description For `then`: at most this many seconds after the end of the step before; null for the default. */
                    within: number | null;
                    /** @description For `then`: at least this many seconds after the end of the step before; without `within`, however much later. */
                    apart?: number;
                    /** @description True: by the same thing as the step before. */
                    same: boolean;
                    unchecked: {
                        /** @description The words of the prompt. */
                        text: string;
                        /** @description Why nothing can check it. */
                        reason: string;
                        /** @description True: without it the rest would answer another question, so nothing is reported. False: the rest is looked for with less confidence. */
                        blocks: boolean;
                    }[];
                }[];
                /** @description Null for all of it. */
                pick: ("first" | "last" | "longest" | "shortest" | "most") | null;
            }[];
            /** @description Words read as the nearest known one. */
            corrected: {
                from: string;
                to: string;
            }[];
        };
    };
    responses: {
        /** @description The request is invalid; the message names the field. */
        Error400: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The last event id must be a whole number, as it stands in the `id:` lines.",
                 *       "message": "The last event id must be a whole number, as it stands in the `id:` lines.",
                 *       "error": "last_id_invalid"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The key is unknown, expired or revoked, or the session has ended. */
        Error401: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "This API key is not known here.",
                 *       "message": "This API key is not known here.",
                 *       "error": "key_unknown"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description No key or session, a malformed key, a missing scope, or no access to the resource. */
        Error403: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "This request carries no API key: send it as \"Authorization: Bearer <key>\" or \"X-API-Key: <key>\".",
                 *       "message": "This request carries no API key: send it as \"Authorization: Bearer <key>\" or \"X-API-Key: <key>\".",
                 *       "error": "key_missing"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description There is nothing under this id. */
        Error404: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "There is no video with this id.",
                 *       "message": "There is no video with this id.",
                 *       "error": "video_not_found"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The request conflicts with the current state. */
        Error409: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "This Idempotency-Key was used for another request: use a new key for a new request.",
                 *       "message": "This Idempotency-Key was used for another request: use a new key for a new request.",
                 *       "error": "idempotency_conflict"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The resource is gone. */
        Error410: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
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
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The body is larger than this endpoint accepts.",
                 *       "message": "The body is larger than this endpoint accepts.",
                 *       "error": "body_too_large"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The content type is not accepted here. */
        Error415: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "This endpoint does not accept this content type.",
                 *       "message": "This endpoint does not accept this content type.",
                 *       "error": "content_type_unsupported"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The requested range lies outside the file. */
        Error416: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
                "Content-Range": components["headers"]["Content-Range"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The requested range lies outside the file.",
                 *       "message": "The requested range lies outside the file.",
                 *       "error": "range_outside"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Another connection is writing to it. */
        Error423: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
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
                 *       "error": "rate_limited"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The bytes do not match their checksum and were not kept. */
        Error460: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
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
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The database does not answer just now: try again shortly.",
                 *       "message": "The database does not answer just now: try again shortly.",
                 *       "error": "database_unavailable",
                 *       "request_id": "019a0b1c2d3e7f008000000000000099-4"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The storage is full. */
        Error507: {
            headers: {
                "X-Request-ID": components["headers"]["X-Request-ID"];
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
         * @description The request's id, as it stands in the log: the client's own where it sent a sane one.
         * @example 019a0b1c2d3e7f008000000000000099-4
         */
        "X-Request-ID": string;
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
         * @description What is left of each: requests (`r`), and the seconds until its window starts anew (`t`).
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
        /** @description What to look for, as older clients say it. Other fields of theirs are accepted and not needed. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": ({
                    /** @description `Lane Change Detection`, `Vehicle Turns`, `Relative Motion Analysis`, `Driving Violations` or `agent_mode_placeholder`: what to look for, unless `assistant_edge_cases_json` says it. */
                    edge_case_category?: string | null;
                    /** @description JSON text of a list of cases; their `title`s are looked for when the category is not known. */
                    assistant_edge_cases_json?: string | null;
                    /** @description Refused with 501: there are no trained agents here. */
                    custom_edge_case_agent_id?: string | null;
                } & {
                    [key: string]: unknown;
                }) | null;
                "application/json": ({
                    /** @description `Lane Change Detection`, `Vehicle Turns`, `Relative Motion Analysis`, `Driving Violations` or `agent_mode_placeholder`: what to look for, unless `assistant_edge_cases_json` says it. */
                    edge_case_category?: string | null;
                    /** @description JSON text of a list of cases; their `title`s are looked for when the category is not known. */
                    assistant_edge_cases_json?: string | null;
                    /** @description Refused with 501: there are no trained agents here. */
                    custom_edge_case_agent_id?: string | null;
                } & {
                    [key: string]: unknown;
                }) | null;
            };
        };
        responses: {
            /** @description An analysis that was started. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "processing",
                     *       "analysis_id": "019a0b1c2d3e7f008000000000000011",
                     *       "batch_id": "019a0b1c2d3e7f008000000000000010"
                     *     }
                     */
                    "application/json": {
                        /** @description `processing`. */
                        status: string;
                        /** @description The analysis; its status is at `/api/videos/{video_id}/analyses/{analysis_id}/status`. */
                        analysis_id: string;
                        /** @description The batch of this one analysis. */
                        batch_id: string;
                    } & {
                        [key: string]: unknown;
                    };
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
        /** @description What to look for, as older clients say it. Other fields of theirs are accepted and not needed. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": ({
                    /** @description `Lane Change Detection`, `Vehicle Turns`, `Relative Motion Analysis`, `Driving Violations` or `agent_mode_placeholder`: what to look for, unless `assistant_edge_cases_json` says it. */
                    edge_case_category?: string | null;
                    /** @description JSON text of a list of cases; their `title`s are looked for when the category is not known. */
                    assistant_edge_cases_json?: string | null;
                    /** @description Refused with 501: there are no trained agents here. */
                    custom_edge_case_agent_id?: string | null;
                } & {
                    [key: string]: unknown;
                }) | null;
                "application/json": ({
                    /** @description `Lane Change Detection`, `Vehicle Turns`, `Relative Motion Analysis`, `Driving Violations` or `agent_mode_placeholder`: what to look for, unless `assistant_edge_cases_json` says it. */
                    edge_case_category?: string | null;
                    /** @description JSON text of a list of cases; their `title`s are looked for when the category is not known. */
                    assistant_edge_cases_json?: string | null;
                    /** @description Refused with 501: there are no trained agents here. */
                    custom_edge_case_agent_id?: string | null;
                } & {
                    [key: string]: unknown;
                }) | null;
            };
        };
        responses: {
            /** @description An analysis that was started. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "processing",
                     *       "analysis_id": "019a0b1c2d3e7f008000000000000011",
                     *       "batch_id": "019a0b1c2d3e7f008000000000000010"
                     *     }
                     */
                    "application/json": {
                        /** @description `processing`. */
                        status: string;
                        /** @description The analysis; its status is at `/api/videos/{video_id}/analyses/{analysis_id}/status`. */
                        analysis_id: string;
                        /** @description The batch of this one analysis. */
                        batch_id: string;
                    } & {
                        [key: string]: unknown;
                    };
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
        /** @description A question about one video, as older clients ask it. Other fields of theirs are accepted and not needed. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "question": "driving-----------EVENT_DESCRIPTION-----------a person walks past a parked car",
                 *       "video_id": "019a0b1c2d3e7f008000000000000003"
                 *     }
                 */
                "application/x-www-form-urlencoded": {
                    /** @description What to look for; a category may stand before it, with `-----------EVENT_DESCRIPTION-----------` between them. */
                    question: string;
                    /** @description The video to ask. */
                    video_id: string;
                    /** @description Refused with 501: there are no trained agents here. */
                    custom_agent_id?: string | null;
                    /** @description Refused with 501: there are no workflows here. */
                    custom_workflow_name?: string | null;
                } & {
                    [key: string]: unknown;
                };
                /**
                 * @example {
                 *       "question": "driving-----------EVENT_DESCRIPTION-----------a person walks past a parked car",
                 *       "video_id": "019a0b1c2d3e7f008000000000000003"
                 *     }
                 */
                "application/json": {
                    /** @description What to look for; a category may stand before it, with `-----------EVENT_DESCRIPTION-----------` between them. */
                    question: string;
                    /** @description The video to ask. */
                    video_id: string;
                    /** @description Refused with 501: there are no trained agents here. */
                    custom_agent_id?: string | null;
                    /** @description Refused with 501: there are no workflows here. */
                    custom_workflow_name?: string | null;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description An analysis that was started. */
            202: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "processing",
                     *       "analysis_id": "019a0b1c2d3e7f008000000000000011",
                     *       "batch_id": "019a0b1c2d3e7f008000000000000010"
                     *     }
                     */
                    "application/json": {
                        /** @description `processing`. */
                        status: string;
                        /** @description The analysis; its status is at `/api/videos/{video_id}/analyses/{analysis_id}/status`. */
                        analysis_id: string;
                        /** @description The batch of this one analysis. */
                        batch_id: string;
                    } & {
                        [key: string]: unknown;
                    };
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
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            501: components["responses"]["Error501"];
            503: components["responses"]["Error503"];
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** @description Most entries of one page; default 100. */
                limit?: number;
                /** @description The `next_cursor` of the page before. */
                cursor?: string;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Newest first. */
                        events: {
                            /** @description Identifier of the entry. */
                            event_id: string;
                            /**
                             * Format: date-time
                             * @description When it happened, ISO 8601, UTC.
                             */
                            at: string;
                            /** @description What was done, one of `key.created`, `key.revoked`, `session.created`, `session.ended`, `session.refused`, `password.changed`, `password.set`, `password_link.created`, `invitation.created`, `invitation.revoked`, `member.joined`, `member.role_changed`, `member.removed`, `organization.renamed`, `sso.linked`, `integration.created`, `integration.changed`, `integration.tested`, `integration.deleted`, `import_sync.created`, `import_sync.run`, `import_sync.deleted`, `quota.changed`; more may come. */
                            action: string;
                            /** @description Who did it; null: the operator, on the command line or at start, or someone who was not let in. */
                            user_id: string | null;
                            /** @description E-mail address of that user. */
                            email: string | null;
                            /** @description The key it was done with. */
                            key_id: string | null;
                            /** @description The session it was done in. */
                            session_id: string | null;
                            /** @description Address it was done from. */
                            address: string | null;
                            /** @description What the browser or program called itself. */
                            user_agent: string | null;
                            /** @description What it was done to: the key, session, user, invitation, integration, scheduled import or organisation. For `session.refused` the user whose password was wrong. */
                            subject_id: string;
                            /** @description What the ids alone do not say. */
                            detail: {
                                [key: string]: unknown;
                            };
                        }[];
                        /** @description Whether there are older ones. */
                        has_more: boolean;
                        /** @description Give it as `cursor` to get them. */
                        next_cursor: string | null;
                    };
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
                /** @description One JSON object a line (default), or a table for spreadsheets. */
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
        /** @description A link, and the password to sign in with from now on. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "q3Yv…",
                 *       "password": "correct horse battery staple",
                 *       "name": "Ada"
                 *     }
                 */
                "application/json": {
                    /** @description What stands after the `#` in the link. */
                    token: string;
                    /** @description The new password: 12 to 256 characters. */
                    password: string;
                    /** @description What others call you. */
                    name?: string | null;
                    /** @description Your e-mail address, for the first owner's link alone: other links are for an address already. */
                    email?: string | null;
                };
            };
        };
        responses: {
            /** @description Someone who is signed in. The session itself is in the cookie that is set, which no script can read. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "session_id": "019a0b1c2d3e7f008000000000000007",
                     *       "user_id": "019a0b1c2d3e7f008000000000000001",
                     *       "email": "ada@example.com",
                     *       "org_id": "019a0b1c2d3e7f008000000000000000",
                     *       "permissions": [
                     *         "read",
                     *         "write"
                     *       ],
                     *       "expires_at": "2026-11-28T09:30:00.000Z"
                     *     }
                     */
                    "application/json": {
                        /** @description Identifier of the session. */
                        session_id: string;
                        /** @description Who is signed in. */
                        user_id: string;
                        /** @description Their e-mail address. */
                        email: string;
                        /** @description Their organisation. */
                        org_id: string;
                        /** @description What they may do; it follows from their role. */
                        permissions: ("read" | "write" | "admin")[];
                        /**
                         * Format: date-time
                         * @description When the session ends, ISO 8601, UTC.
                         */
                        expires_at: string;
                    };
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
                /**
                 * @example {
                 *       "current_password": "correct horse battery staple",
                 *       "new_password": "staple battery horse correct"
                 *     }
                 */
                "application/json": {
                    /** @description The password until now. */
                    current_password: string;
                    /** @description The new password: 12 to 256 characters. */
                    new_password: string;
                };
            };
        };
        responses: {
            /** @description Someone who is signed in. The session itself is in the cookie that is set, which no script can read. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "session_id": "019a0b1c2d3e7f008000000000000007",
                     *       "user_id": "019a0b1c2d3e7f008000000000000001",
                     *       "email": "ada@example.com",
                     *       "org_id": "019a0b1c2d3e7f008000000000000000",
                     *       "permissions": [
                     *         "read",
                     *         "write"
                     *       ],
                     *       "expires_at": "2026-11-28T09:30:00.000Z"
                     *     }
                     */
                    "application/json": {
                        /** @description Identifier of the session. */
                        session_id: string;
                        /** @description Who is signed in. */
                        user_id: string;
                        /** @description Their e-mail address. */
                        email: string;
                        /** @description Their organisation. */
                        org_id: string;
                        /** @description What they may do; it follows from their role. */
                        permissions: ("read" | "write" | "admin")[];
                        /**
                         * Format: date-time
                         * @description When the session ends, ISO 8601, UTC.
                         */
                        expires_at: string;
                    };
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
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Someone who is signed in. The session itself is in the cookie that is set, which no script can read. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "session_id": "019a0b1c2d3e7f008000000000000007",
                     *       "user_id": "019a0b1c2d3e7f008000000000000001",
                     *       "email": "ada@example.com",
                     *       "org_id": "019a0b1c2d3e7f008000000000000000",
                     *       "permissions": [
                     *         "read",
                     *         "write"
                     *       ],
                     *       "expires_at": "2026-11-28T09:30:00.000Z"
                     *     }
                     */
                    "application/json": {
                        /** @description Identifier of the session. */
                        session_id: string;
                        /** @description Who is signed in. */
                        user_id: string;
                        /** @description Their e-mail address. */
                        email: string;
                        /** @description Their organisation. */
                        org_id: string;
                        /** @description What they may do; it follows from their role. */
                        permissions: ("read" | "write" | "admin")[];
                        /**
                         * Format: date-time
                         * @description When the session ends, ISO 8601, UTC.
                         */
                        expires_at: string;
                    };
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
            /** @description Where you are signed in. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Newest first. */
                        sessions: {
                            /** @description Identifier of the session. */
                            session_id: string;
                            /** @description Whether it is the one that asks. */
                            current: boolean;
                            /**
                             * @description How it began: with a password, with a link of the operator or an invitation, by single sign-on.
                             * @enum {string}
                             */
                            method: "password" | "link" | "sso";
                            /** @description Address it began from. */
                            address: string;
                            /** @description What the browser called itself. */
                            user_agent: string | null;
                            /**
                             * Format: date-time
                             * @description When it began, ISO 8601, UTC.
                             */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description When it ends, ISO 8601, UTC.
                             */
                            expires_at: string;
                        }[];
                    };
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
                /** @description The session. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They end at once, on every node. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ended": 1
                     *     }
                     */
                    "application/json": {
                        /** @description How many sessions ended. */
                        ended: number;
                    };
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
        /** @description Who signs in. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": {
                    /** @description E-mail address. */
                    email: string;
                    /** @description The password. */
                    password: string;
                };
            };
        };
        responses: {
            /** @description Someone who is signed in. The session itself is in the cookie that is set, which no script can read. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "session_id": "019a0b1c2d3e7f008000000000000007",
                     *       "user_id": "019a0b1c2d3e7f008000000000000001",
                     *       "email": "ada@example.com",
                     *       "org_id": "019a0b1c2d3e7f008000000000000000",
                     *       "permissions": [
                     *         "read",
                     *         "write"
                     *       ],
                     *       "expires_at": "2026-11-28T09:30:00.000Z"
                     *     }
                     */
                    "application/json": {
                        /** @description Identifier of the session. */
                        session_id: string;
                        /** @description Who is signed in. */
                        user_id: string;
                        /** @description Their e-mail address. */
                        email: string;
                        /** @description Their organisation. */
                        org_id: string;
                        /** @description What they may do; it follows from their role. */
                        permissions: ("read" | "write" | "admin")[];
                        /**
                         * Format: date-time
                         * @description When the session ends, ISO 8601, UTC.
                         */
                        expires_at: string;
                    };
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
            /** @description They end at once, on every node. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ended": 1
                     *     }
                     */
                    "application/json": {
                        /** @description How many sessions ended. */
                        ended: number;
                    };
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
            /** @description They end at once, on every node. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ended": 1
                     *     }
                     */
                    "application/json": {
                        /** @description How many sessions ended. */
                        ended: number;
                    };
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
                /** @description Where to lead the browser once it is signed in: a path of this service; default `/`. */
                return_to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the provider. */
            302: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
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
            /** @description To where the browser wanted. */
            302: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
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
            /** @description Where your identity is proved. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://login.example.com/authorize?client_id=sightline&…"
                     *     }
                     */
                    "application/json": {
                        /** @description Lead the browser there. */
                        url: string;
                    };
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
                /** @description Whether each document says where its video came from, as `import_source_uri`. */
                include_source_uri?: boolean;
            };
            header?: never;
            path: {
                /** @description Identifier of the batch. */
                batch_id: string;
            };
            cookie?: never;
        };
        /** @description Which documents are wanted. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "video_ids": [
                 *         "019a0b1c2d3e7f008000000000000003"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Videos of the batch whose documents are wanted, at most 500; one that stands in it twice counts once. */
                    video_ids: string[];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Documents of a batch. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description The documents in the batch's order. */
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
        /** @description Which events are wanted. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "filter": [
                 *         "pending"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description States of approval whose events are wanted; null for all. */
                    filter?: ("approved" | "rejected" | "pending" | "invalid")[] | null;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The results of a batch. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description The batch, with what was noted on it under `metadata`. */
                        batch_metadata: {
                            /** @description Identifier of the batch. */
                            batch_id: string;
                            /** @description How the batch stands. */
                            status: string;
                            /** @description What was asked. */
                            prompt: string;
                            /**
                             * Format: date-time
                             * @description When, ISO 8601, UTC.
                             */
                            created_at: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description One for each analysis. */
                        results: ({
                            /** @description Identifier of the video. */
                            video_id: string;
                            /** @description Identifier of its analysis. */
                            analysis_id: string;
                            /** @description `processing`, `completed` or `failed`. */
                            status: string;
                            /** @description What became of it. */
                            analysis: {
                                /** @description The same, in capitals. */
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
        /** @description What to note on the batch. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "metadata": "{\"experiment\": \"night-drives\", \"round\": 2}"
                 *     }
                 */
                "application/json": {
                    /** @description JSON text of a flat object: names, each with a text or a whole number; at most 100 names in all. Those that are there are replaced. */
                    metadata: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description What is noted on a batch. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "batch_id": "019a0b1c2d3e7f008000000000000010",
                     *       "metadata": {
                     *         "experiment": "night-drives",
                     *         "round": 2
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description True. */
                        success: boolean;
                        /** @description Identifier of the batch. */
                        batch_id: string;
                        /** @description Everything that is noted on it now. */
                        metadata: {
                            [key: string]: string | number;
                        };
                    } & {
                        [key: string]: unknown;
                    };
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
            /** @description The results of a batch. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description The batch, with what was noted on it under `metadata`. */
                        batch_metadata: {
                            /** @description Identifier of the batch. */
                            batch_id: string;
                            /** @description How the batch stands. */
                            status: string;
                            /** @description What was asked. */
                            prompt: string;
                            /**
                             * Format: date-time
                             * @description When, ISO 8601, UTC.
                             */
                            created_at: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description One for each analysis. */
                        results: ({
                            /** @description Identifier of the video. */
                            video_id: string;
                            /** @description Identifier of its analysis. */
                            analysis_id: string;
                            /** @description `processing`, `completed` or `failed`. */
                            status: string;
                            /** @description What became of it. */
                            analysis: {
                                /** @description The same, in capitals. */
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
                /** @description Whether `videos` is filled; true unless said otherwise. */
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
            /** @description How a batch stands. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "batch_id": "019a0b1c2d3e7f008000000000000010",
                     *       "status": "processing",
                     *       "aggregated_progress": {
                     *         "total": 1,
                     *         "completed": 0,
                     *         "failed": 0
                     *       },
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
                    "application/json": {
                        /** @description Identifier of the batch. */
                        batch_id: string;
                        /** @description `processing`; then `completed` when any analysis succeeded, else `failed`; or `cancelled`. */
                        status: string;
                        aggregated_progress: {
                            /** @description Analyses in the batch. */
                            total: number;
                            /** @description Those that have ended, failed ones included; their documents can be read. */
                            completed: number;
                            /** @description Those that have failed. */
                            failed: number;
                        };
                        /** @description The videos in the order they were asked for. */
                        videos: ({
                            /** @description Identifier of the video. */
                            video_id: string;
                            /** @description Identifier of its analysis. */
                            analysis_id: string;
                            /** @description `processing`, `completed` or `failed`. */
                            status: string;
                            /** @description Percent done, 0 to 100. */
                            progress: number;
                            /** @description What is being done; null once it has ended. */
                            stage: string | null;
                            /** @description Why it failed, in a sentence. */
                            last_error: string | null;
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description What was asked: `prompt`, `mode`, `analysis_kind` and what older clients read. */
                        config: {
                            [key: string]: unknown;
                        };
                        /** @description The prompt. */
                        query: string;
                        /** @description `thinking` or `fast`. */
                        mode: string;
                        /** @description The stream of its events. */
                        stream_id: string;
                        /** @description What was noted on the batch. */
                        metadata: {
                            [key: string]: unknown;
                        };
                        /** @description Null: not reviewed. */
                        review_status: string | null;
                        /** @description When it was reviewed, ISO 8601, UTC. */
                        review_status_updated_at: string | null;
                        /**
                         * Format: date-time
                         * @description When it was asked for, ISO 8601, UTC.
                         */
                        created_at: string;
                        /** @description When the last analysis ended, ISO 8601, UTC. */
                        completed_at: string | null;
                    } & {
                        [key: string]: unknown;
                    };
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
    listIntegrations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The integrations that you may use, oldest first; for an admin key all of the organisation. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the integration. */
                        id: string;
                        /** @description What people call it. */
                        name: string;
                        /**
                         * @description What it opens: a bucket of Google Cloud Storage, of S3 with keys, of Hugging Face, or of S3 in a role.
                         * @enum {string}
                         */
                        type: "gcs" | "s3" | "hf_bucket" | "s3_storage_transfer";
                        /**
                         * @description Who may use it: `org` (the default), everyone in the organisation; `user`, you alone.
                         * @enum {string}
                         */
                        scope: "user" | "org";
                        /** @description Name of the bucket; of a Hugging Face bucket `namespace/name`. */
                        bucket: string;
                        /** @description Where in the bucket previews and imports of whole prefixes begin. */
                        prefix: string | null;
                        /** @description Region of the bucket, such as `eu-central-1`. */
                        region: string | null;
                        /** @description Address of a server that speaks the provider's protocol, such as MinIO or R2. Without it the provider's own. Private addresses only where the operator allows their network. */
                        endpoint_url: string | null;
                        /** @description Whether the bucket stands in the path (`endpoint/bucket/key`) or in the host name (`bucket.endpoint/key`). Without it: in the path with an `endpoint_url`, else in the host name. */
                        addressing: ("path" | "virtual") | null;
                        /** @description The role that is assumed. */
                        role_arn: string | null;
                        /**
                         * Format: date-time
                         * @description When it was made, ISO 8601, UTC.
                         */
                        created_at: string;
                        /** @description When an import last used it; null while unused. */
                        last_used: string | null;
                        /** @description Whether you made it. */
                        is_owner: boolean;
                        /** @description The user who made it. */
                        created_by: string;
                        /** @description That user's name. */
                        created_by_display_name: string;
                    }[];
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
                /** @description Whether the integration is tried first: one object listed, one byte read. Default true; what the provider refuses is then not saved. */
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
                /**
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
                "application/json": {
                    /** @description What people call it. */
                    name: string;
                    /** @description May be left out; `gcs` where it is given. */
                    type?: "gcs" | null;
                    /** @description Who may use it: `org` (the default), everyone in the organisation; `user`, you alone. */
                    scope?: ("user" | "org") | null;
                    /** @description The service account's key file as Google gives it. */
                    service_account: {
                        /**
                         * @description Always `service_account`; no other kind is taken.
                         * @enum {string}
                         */
                        type: "service_account";
                        /** @description The account. */
                        client_email: string;
                        /** @description Its private key, PEM. */
                        private_key: string;
                        /** @description Names the key. */
                        private_key_id?: string;
                        /** @description Its project. */
                        project_id?: string;
                        /** @description Where tokens are to be had. */
                        token_uri?: string;
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description Name of the bucket; of a Hugging Face bucket `namespace/name`. */
                    bucket: string;
                    /** @description Where in the bucket previews and imports of whole prefixes begin. */
                    prefix?: string | null;
                    /** @description Address of a server that speaks the provider's protocol, such as MinIO or R2. Without it the provider's own. Private addresses only where the operator allows their network. */
                    endpoint_url?: string | null;
                };
            };
        };
        responses: {
            /** @description A saved integration. Its secrets are never shown. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the integration. */
                        id: string;
                        /** @description What people call it. */
                        name: string;
                        /**
                         * @description What it opens: a bucket of Google Cloud Storage, of S3 with keys, of Hugging Face, or of S3 in a role.
                         * @enum {string}
                         */
                        type: "gcs" | "s3" | "hf_bucket" | "s3_storage_transfer";
                        /**
                         * @description Who may use it: `org` (the default), everyone in the organisation; `user`, you alone.
                         * @enum {string}
                         */
                        scope: "user" | "org";
                        /** @description Name of the bucket; of a Hugging Face bucket `namespace/name`. */
                        bucket: string;
                        /** @description Where in the bucket previews and imports of whole prefixes begin. */
                        prefix: string | null;
                        /** @description Region of the bucket, such as `eu-central-1`. */
                        region: string | null;
                        /** @description Address of a server that speaks the provider's protocol, such as MinIO or R2. Without it the provider's own. Private addresses only where the operator allows their network. */
                        endpoint_url: string | null;
                        /** @description Whether the bucket stands in the path (`endpoint/bucket/key`) or in the host name (`bucket.endpoint/key`). Without it: in the path with an `endpoint_url`, else in the host name. */
                        addressing: ("path" | "virtual") | null;
                        /** @description The role that is assumed. */
                        role_arn: string | null;
                        /**
                         * Format: date-time
                         * @description When it was made, ISO 8601, UTC.
                         */
                        created_at: string;
                        /** @description When an import last used it; null while unused. */
                        last_used: string | null;
                        /** @description Whether you made it. */
                        is_owner: boolean;
                        /** @description The user who made it. */
                        created_by: string;
                        /** @description That user's name. */
                        created_by_display_name: string;
                    };
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
    createHuggingFaceIntegration: {
        parameters: {
            query?: {
                /** @description Whether the integration is tried first: one object listed, one byte read. Default true; what the provider refuses is then not saved. */
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
                /**
                 * @example {
                 *       "name": "Open drives",
                 *       "type": "hf_bucket",
                 *       "token": "hf_…",
                 *       "bucket": "example/drives"
                 *     }
                 */
                "application/json": {
                    /** @description What people call it. */
                    name: string;
                    /** @description May be left out; `hf_bucket` where it is given. */
                    type?: "hf_bucket" | null;
                    /** @description Who may use it: `org` (the default), everyone in the organisation; `user`, you alone. */
                    scope?: ("user" | "org") | null;
                    /** @description Hugging Face token (`hf_…`) that reads. */
                    token: string;
                    /** @description Name of the bucket; of a Hugging Face bucket `namespace/name`. */
                    bucket: string;
                    /** @description Where in the bucket previews and imports of whole prefixes begin. */
                    prefix?: string | null;
                    /** @description Address of a server that speaks the provider's protocol, such as MinIO or R2. Without it the provider's own. Private addresses only where the operator allows their network. */
                    endpoint_url?: string | null;
                };
            };
        };
        responses: {
            /** @description A saved integration. Its secrets are never shown. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the integration. */
                        id: string;
                        /** @description What people call it. */
                        name: string;
                        /**
                         * @description What it opens: a bucket of Google Cloud Storage, of S3 with keys, of Hugging Face, or of S3 in a role.
                         * @enum {string}
                         */
                        type: "gcs" | "s3" | "hf_bucket" | "s3_storage_transfer";
                        /**
                         * @description Who may use it: `org` (the default), everyone in the organisation; `user`, you alone.
                         * @enum {string}
                         */
                        scope: "user" | "org";
                        /** @description Name of the bucket; of a Hugging Face bucket `namespace/name`. */
                        bucket: string;
                        /** @description Where in the bucket previews and imports of whole prefixes begin. */
                        prefix: string | null;
                        /** @description Region of the bucket, such as `eu-central-1`. */
                        region: string | null;
                        /** @description Address of a server that speaks the provider's protocol, such as MinIO or R2. Without it the provider's own. Private addresses only where the operator allows their network. */
                        endpoint_url: string | null;
                        /** @description Whether the bucket stands in the path (`endpoint/bucket/key`) or in the host name (`bucket.endpoint/key`). Without it: in the path with an `endpoint_url`, else in the host name. */
                        addressing: ("path" | "virtual") | null;
                        /** @description The role that is assumed. */
                        role_arn: string | null;
                        /**
                         * Format: date-time
                         * @description When it was made, ISO 8601, UTC.
                         */
                        created_at: string;
                        /** @description When an import last used it; null while unused. */
                        last_used: string | null;
                        /** @description Whether you made it. */
                        is_owner: boolean;
                        /** @description The user who made it. */
                        created_by: string;
                        /** @description That user's name. */
                        created_by_display_name: string;
                    };
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
    createS3Integration: {
        parameters: {
            query?: {
                /** @description Whether the integration is tried first: one object listed, one byte read. Default true; what the provider refuses is then not saved. */
                verify?: boolean;
            };
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A bucket of S3 or of a server that speaks its protocol. Without an `endpoint_url`, `region` is needed. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Fleet recordings",
                 *       "type": "s3",
                 *       "access_key_id": "AKIAEXAMPLE",
                 *       "secret_access_key": "the secret",
                 *       "region": "eu-central-1",
                 *       "bucket": "fleet-recordings"
                 *     }
                 */
                "application/json": {
                    /** @description What people call it. */
                    name: string;
                    /** @description May be left out; `s3` where it is given. */
                    type?: "s3" | null;
                    /** @description Who may use it: `org` (the default), everyone in the organisation; `user`, you alone. */
                    scope?: ("user" | "org") | null;
                    /** @description Access key id. */
                    access_key_id: string;
                    /** @description Secret access key. */
                    secret_access_key: string;
                    /** @description Session token of temporary keys. */
                    session_token?: string | null;
                    /** @description Region of the bucket, such as `eu-central-1`. */
                    region?: string | null;
                    /** @description Address of a server that speaks the provider's protocol, such as MinIO or R2. Without it the provider's own. Private addresses only where the operator allows their network. */
                    endpoint_url?: string | null;
                    /** @description Whether the bucket stands in the path (`endpoint/bucket/key`) or in the host name (`bucket.endpoint/key`). Without it: in the path with an `endpoint_url`, else in the host name. */
                    addressing?: ("path" | "virtual") | null;
                    /** @description Name of the bucket; of a Hugging Face bucket `namespace/name`. */
                    bucket: string;
                    /** @description Where in the bucket previews and imports of whole prefixes begin. */
                    prefix?: string | null;
                };
            };
        };
        responses: {
            /** @description A saved integration. Its secrets are never shown. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the integration. */
                        id: string;
                        /** @description What people call it. */
                        name: string;
                        /**
                         * @description What it opens: a bucket of Google Cloud Storage, of S3 with keys, of Hugging Face, or of S3 in a role.
                         * @enum {string}
                         */
                        type: "gcs" | "s3" | "hf_bucket" | "s3_storage_transfer";
                        /**
                         * @description Who may use it: `org` (the default), everyone in the organisation; `user`, you alone.
                         * @enum {string}
                         */
                        scope: "user" | "org";
                        /** @description Name of the bucket; of a Hugging Face bucket `namespace/name`. */
                        bucket: string;
                        /** @description Where in the bucket previews and imports of whole prefixes begin. */
                        prefix: string | null;
                        /** @description Region of the bucket, such as `eu-central-1`. */
                        region: string | null;
                        /** @description Address of a server that speaks the provider's protocol, such as MinIO or R2. Without it the provider's own. Private addresses only where the operator allows their network. */
                        endpoint_url: string | null;
                        /** @description Whether the bucket stands in the path (`endpoint/bucket/key`) or in the host name (`bucket.endpoint/key`). Without it: in the path with an `endpoint_url`, else in the host name. */
                        addressing: ("path" | "virtual") | null;
                        /** @description The role that is assumed. */
                        role_arn: string | null;
                        /**
                         * Format: date-time
                         * @description When it was made, ISO 8601, UTC.
                         */
                        created_at: string;
                        /** @description When an import last used it; null while unused. */
                        last_used: string | null;
                        /** @description Whether you made it. */
                        is_owner: boolean;
                        /** @description The user who made it. */
                        created_by: string;
                        /** @description That user's name. */
                        created_by_display_name: string;
                    };
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
    createRoleIntegration: {
        parameters: {
            query?: {
                /** @description Whether the integration is tried first: one object listed, one byte read. Default true; what the provider refuses is then not saved. */
                verify?: boolean;
            };
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A bucket of S3 that is read in a role: no key is stored. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Partner recordings",
                 *       "bucket": "partner-recordings",
                 *       "role_arn": "arn:aws:iam::123456789012:role/sightline-reader",
                 *       "region": "eu-central-1"
                 *     }
                 */
                "application/json": {
                    /** @description What people call it. */
                    name: string;
                    /** @description May be left out; `s3_storage_transfer` where it is given. */
                    type?: "s3_storage_transfer" | null;
                    /** @description Who may use it: `org` (the default), everyone in the organisation; `user`, you alone. */
                    scope?: ("user" | "org") | null;
                    /** @description Name of the bucket; of a Hugging Face bucket `namespace/name`. */
                    bucket: string;
                    /** @description The role to assume; it trusts this deployment as the setup says. */
                    role_arn: string;
                    /** @description Where in the bucket previews and imports of whole prefixes begin. */
                    prefix?: string | null;
                    /** @description Region of the bucket, such as `eu-central-1`. */
                    region?: string | null;
                    /** @description Address of a server that speaks the provider's protocol, such as MinIO or R2. Without it the provider's own. Private addresses only where the operator allows their network. */
                    endpoint_url?: string | null;
                    /** @description Whether the bucket stands in the path (`endpoint/bucket/key`) or in the host name (`bucket.endpoint/key`). Without it: in the path with an `endpoint_url`, else in the host name. */
                    addressing?: ("path" | "virtual") | null;
                };
            };
        };
        responses: {
            /** @description A saved integration. Its secrets are never shown. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the integration. */
                        id: string;
                        /** @description What people call it. */
                        name: string;
                        /**
                         * @description What it opens: a bucket of Google Cloud Storage, of S3 with keys, of Hugging Face, or of S3 in a role.
                         * @enum {string}
                         */
                        type: "gcs" | "s3" | "hf_bucket" | "s3_storage_transfer";
                        /**
                         * @description Who may use it: `org` (the default), everyone in the organisation; `user`, you alone.
                         * @enum {string}
                         */
                        scope: "user" | "org";
                        /** @description Name of the bucket; of a Hugging Face bucket `namespace/name`. */
                        bucket: string;
                        /** @description Where in the bucket previews and imports of whole prefixes begin. */
                        prefix: string | null;
                        /** @description Region of the bucket, such as `eu-central-1`. */
                        region: string | null;
                        /** @description Address of a server that speaks the provider's protocol, such as MinIO or R2. Without it the provider's own. Private addresses only where the operator allows their network. */
                        endpoint_url: string | null;
                        /** @description Whether the bucket stands in the path (`endpoint/bucket/key`) or in the host name (`bucket.endpoint/key`). Without it: in the path with an `endpoint_url`, else in the host name. */
                        addressing: ("path" | "virtual") | null;
                        /** @description The role that is assumed. */
                        role_arn: string | null;
                        /**
                         * Format: date-time
                         * @description When it was made, ISO 8601, UTC.
                         */
                        created_at: string;
                        /** @description When an import last used it; null while unused. */
                        last_used: string | null;
                        /** @description Whether you made it. */
                        is_owner: boolean;
                        /** @description The user who made it. */
                        created_by: string;
                        /** @description That user's name. */
                        created_by_display_name: string;
                    };
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
    getRoleSetup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a role has to trust. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /**
                         * @description Whose identity this deployment has.
                         * @enum {string}
                         */
                        provider: "google" | "aws";
                        /**
                         * @description `web_identity`: AssumeRoleWithWebIdentity with a token of the service account; `assume_role`: AssumeRole with an external id.
                         * @enum {string}
                         */
                        auth_mode: "web_identity" | "assume_role";
                        /** @description Google Cloud project of the service account. */
                        project_id: string | null;
                        /** @description The service account. */
                        google_service_account_email: string | null;
                        /** @description Its unique id: the subject of its tokens. */
                        google_service_account_subject_id: string | null;
                        /** @description Audience of the tokens: that of your organisation alone. */
                        audience: string | null;
                        /** @description External id of your organisation, for `assume_role`. */
                        external_id: string | null;
                        /** @description The trust policy of the role in your AWS account, as it stands. Give the role s3:ListBucket and s3:GetObject. */
                        aws_trust_policy_template: {
                            [key: string]: unknown;
                        };
                    };
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
                /** @description Identifier of the integration. */
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A saved integration. Its secrets are never shown. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the integration. */
                        id: string;
                        /** @description What people call it. */
                        name: string;
                        /**
                         * @description What it opens: a bucket of Google Cloud Storage, of S3 with keys, of Hugging Face, or of S3 in a role.
                         * @enum {string}
                         */
                        type: "gcs" | "s3" | "hf_bucket" | "s3_storage_transfer";
                        /**
                         * @description Who may use it: `org` (the default), everyone in the organisation; `user`, you alone.
                         * @enum {string}
                         */
                        scope: "user" | "org";
                        /** @description Name of the bucket; of a Hugging Face bucket `namespace/name`. */
                        bucket: string;
                        /** @description Where in the bucket previews and imports of whole prefixes begin. */
                        prefix: string | null;
                        /** @description Region of the bucket, such as `eu-central-1`. */
                        region: string | null;
                        /** @description Address of a server that speaks the provider's protocol, such as MinIO or R2. Without it the provider's own. Private addresses only where the operator allows their network. */
                        endpoint_url: string | null;
                        /** @description Whether the bucket stands in the path (`endpoint/bucket/key`) or in the host name (`bucket.endpoint/key`). Without it: in the path with an `endpoint_url`, else in the host name. */
                        addressing: ("path" | "virtual") | null;
                        /** @description The role that is assumed. */
                        role_arn: string | null;
                        /**
                         * Format: date-time
                         * @description When it was made, ISO 8601, UTC.
                         */
                        created_at: string;
                        /** @description When an import last used it; null while unused. */
                        last_used: string | null;
                        /** @description Whether you made it. */
                        is_owner: boolean;
                        /** @description The user who made it. */
                        created_by: string;
                        /** @description That user's name. */
                        created_by_display_name: string;
                    };
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
                /** @description Identifier of the integration. */
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "deleted",
                     *       "id": "019a0b1c2d3e7f008000000000000021"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `deleted`.
                         * @enum {string}
                         */
                        status: "deleted";
                        /** @description Identifier of the integration that was. */
                        id: string;
                    };
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
                /** @description Whether the integration is tried first: one object listed, one byte read. Default true; what the provider refuses is then not saved. */
                verify?: boolean;
            };
            header?: {
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Identifier of the integration. */
                integration_id: string;
            };
            cookie?: never;
        };
        /** @description What is to change; what is left out stays, null empties `prefix`, `region`, `endpoint_url` and `addressing`. Credentials are replaced as a whole. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Fleet recordings 2026",
                 *       "prefix": "drives/2026/"
                 *     }
                 */
                "application/json": {
                    /** @description What people call it. */
                    name?: string | null;
                    /** @description Who may use it: `org` (the default), everyone in the organisation; `user`, you alone. */
                    scope?: ("user" | "org") | null;
                    /** @description Name of the bucket; of a Hugging Face bucket `namespace/name`. */
                    bucket?: string | null;
                    /** @description Where in the bucket previews and imports of whole prefixes begin. */
                    prefix?: string | null;
                    /** @description Region of the bucket, such as `eu-central-1`. */
                    region?: string | null;
                    /** @description Address of a server that speaks the provider's protocol, such as MinIO or R2. Without it the provider's own. Private addresses only where the operator allows their network. */
                    endpoint_url?: string | null;
                    /** @description Whether the bucket stands in the path (`endpoint/bucket/key`) or in the host name (`bucket.endpoint/key`). Without it: in the path with an `endpoint_url`, else in the host name. */
                    addressing?: ("path" | "virtual") | null;
                    /** @description The role to assume; it trusts this deployment as the setup says. */
                    role_arn?: string | null;
                    /** @description The service account's key file as Google gives it. */
                    service_account?: {
                        /**
                         * @description Always `service_account`; no other kind is taken.
                         * @enum {string}
                         */
                        type: "service_account";
                        /** @description The account. */
                        client_email: string;
                        /** @description Its private key, PEM. */
                        private_key: string;
                        /** @description Names the key. */
                        private_key_id?: string;
                        /** @description Its project. */
                        project_id?: string;
                        /** @description Where tokens are to be had. */
                        token_uri?: string;
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description Access key id. */
                    access_key_id?: string;
                    /** @description Secret access key. */
                    secret_access_key?: string;
                    /** @description Session token of temporary keys. */
                    session_token?: string | null;
                    /** @description Hugging Face token (`hf_…`) that reads. */
                    token?: string;
                };
            };
        };
        responses: {
            /** @description A saved integration. Its secrets are never shown. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the integration. */
                        id: string;
                        /** @description What people call it. */
                        name: string;
                        /**
                         * @description What it opens: a bucket of Google Cloud Storage, of S3 with keys, of Hugging Face, or of S3 in a role.
                         * @enum {string}
                         */
                        type: "gcs" | "s3" | "hf_bucket" | "s3_storage_transfer";
                        /**
                         * @description Who may use it: `org` (the default), everyone in the organisation; `user`, you alone.
                         * @enum {string}
                         */
                        scope: "user" | "org";
                        /** @description Name of the bucket; of a Hugging Face bucket `namespace/name`. */
                        bucket: string;
                        /** @description Where in the bucket previews and imports of whole prefixes begin. */
                        prefix: string | null;
                        /** @description Region of the bucket, such as `eu-central-1`. */
                        region: string | null;
                        /** @description Address of a server that speaks the provider's protocol, such as MinIO or R2. Without it the provider's own. Private addresses only where the operator allows their network. */
                        endpoint_url: string | null;
                        /** @description Whether the bucket stands in the path (`endpoint/bucket/key`) or in the host name (`bucket.endpoint/key`). Without it: in the path with an `endpoint_url`, else in the host name. */
                        addressing: ("path" | "virtual") | null;
                        /** @description The role that is assumed. */
                        role_arn: string | null;
                        /**
                         * Format: date-time
                         * @description When it was made, ISO 8601, UTC.
                         */
                        created_at: string;
                        /** @description When an import last used it; null while unused. */
                        last_used: string | null;
                        /** @description Whether you made it. */
                        is_owner: boolean;
                        /** @description The user who made it. */
                        created_by: string;
                        /** @description That user's name. */
                        created_by_display_name: string;
                    };
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
    testIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the integration. */
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a try came to. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true,
                     *       "message": "The bucket can be listed and \"drives/a.mp4\" can be read.",
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        /** @description Whether the bucket could be listed and an object of it read. */
                        ok: boolean;
                        /** @description What was found, or why not, in a sentence. */
                        message: string;
                        /** @description The code of the reason; null when it works. */
                        error: string | null;
                    };
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
        /** @description A question about videos, as older clients ask it. Other fields of theirs are accepted and not needed. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "video_ids": [
                 *         "019a0b1c2d3e7f008000000000000003"
                 *       ],
                 *       "analysis_kind": "rapid_review",
                 *       "prompt": "a person walks past a parked car"
                 *     }
                 */
                "application/x-www-form-urlencoded": {
                    /** @description The videos to ask, the field repeated for each; at most 1,000. */
                    video_ids: string | string[];
                    /** @description `rapid_review`, the default: `prompt` is the question; `edge_agent`: `edge_case_category` names it. */
                    analysis_kind?: string | null;
                    /** @description What to look for, in plain words. */
                    prompt?: string | null;
                    /** @description Kept in the batch’s `config`; the question decides what is looked for. */
                    category?: string | null;
                    /** @description Your own name for the batch: sent again, the same batch is the answer. */
                    client_batch_id?: string | null;
                    /** @description Refused with 501: there are no trained agents here. */
                    custom_agent_id?: string | null;
                    /** @description Refused with 501: there are no workflows here. */
                    custom_workflow_name?: string | null;
                    /** @description `Lane Change Detection`, `Vehicle Turns`, `Relative Motion Analysis`, `Driving Violations` or `agent_mode_placeholder`: what to look for, unless `assistant_edge_cases_json` says it. */
                    edge_case_category?: string | null;
                    /** @description JSON text of a list of cases; their `title`s are looked for when the category is not known. */
                    assistant_edge_cases_json?: string | null;
                    /** @description Refused with 501: there are no trained agents here. */
                    custom_edge_case_agent_id?: string | null;
                } & {
                    [key: string]: unknown;
                };
                /**
                 * @example {
                 *       "video_ids": [
                 *         "019a0b1c2d3e7f008000000000000003"
                 *       ],
                 *       "analysis_kind": "rapid_review",
                 *       "prompt": "a person walks past a parked car"
                 *     }
                 */
                "application/json": {
                    /** @description The videos to ask, the field repeated for each; at most 1,000. */
                    video_ids: string | string[];
                    /** @description `rapid_review`, the default: `prompt` is the question; `edge_agent`: `edge_case_category` names it. */
                    analysis_kind?: string | null;
                    /** @description What to look for, in plain words. */
                    prompt?: string | null;
                    /** @description Kept in the batch’s `config`; the question decides what is looked for. */
                    category?: string | null;
                    /** @description Your own name for the batch: sent again, the same batch is the answer. */
                    client_batch_id?: string | null;
                    /** @description Refused with 501: there are no trained agents here. */
                    custom_agent_id?: string | null;
                    /** @description Refused with 501: there are no workflows here. */
                    custom_workflow_name?: string | null;
                    /** @description `Lane Change Detection`, `Vehicle Turns`, `Relative Motion Analysis`, `Driving Violations` or `agent_mode_placeholder`: what to look for, unless `assistant_edge_cases_json` says it. */
                    edge_case_category?: string | null;
                    /** @description JSON text of a list of cases; their `title`s are looked for when the category is not known. */
                    assistant_edge_cases_json?: string | null;
                    /** @description Refused with 501: there are no trained agents here. */
                    custom_edge_case_agent_id?: string | null;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description A batch that was made. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "batch_id": "019a0b1c2d3e7f008000000000000010",
                     *       "status": "processing"
                     *     }
                     */
                    "application/json": {
                        /** @description The batch; its status is at `/api/batch/{batch_id}/status`. */
                        batch_id: string;
                        /** @description How it stands. */
                        status: string;
                    } & {
                        [key: string]: unknown;
                    };
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
        /** @description The file to come. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "size_bytes": 104857600,
                 *       "filename": "junction.mp4"
                 *     }
                 */
                "application/json": {
                    /** @description Size of the whole file in bytes. */
                    size_bytes: number;
                    /** @description Name of the file; becomes the name of the video. */
                    filename?: string | null;
                    /** @description Name of the video, in place of its file name. */
                    custom_name?: string | null;
                    /** @description SHA-256 of the file as 64 hexadecimal digits: what arrives otherwise is refused. */
                    sha256?: string | null;
                    /** @description Who sees it: `user`, you alone; `org`, the organisation. Without it: as its folder, else `user`. */
                    scope?: ("user" | "org") | null;
                    /** @description Folder to put it in. */
                    folder_id?: string | null;
                };
            };
        };
        responses: {
            /** @description How a direct upload stands. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the upload. */
                        upload_id: string;
                        /** @description The same: the video exists from now on, as `processing`. */
                        video_id: string;
                        /** @description Size of the whole file in bytes. */
                        size_bytes: number;
                        /** @description Size of each part but the last, which is what is left. */
                        part_bytes: number;
                        /** @description How many parts there are. */
                        part_count: number;
                        /** @description The parts that are there. */
                        arrived: {
                            /** @description Number of the part; the first is 1. */
                            part_number: number;
                            /** @description Its size in bytes. */
                            size_bytes: number;
                        }[];
                        /** @description When it begins: URLs of the first 100 parts. Ask for those of others, and for new ones. */
                        part_urls: {
                            /** @description Number of the part; the first is 1. */
                            part_number: number;
                            /** @description Its size in bytes. */
                            size_bytes: number;
                            /** @description Send the part here: its bytes, and no more, as the body. */
                            url: string;
                            /**
                             * @description Always `PUT`.
                             * @enum {string}
                             */
                            method: "PUT";
                            /**
                             * Format: date-time
                             * @description Until when the URL holds, ISO 8601, UTC.
                             */
                            expires_at: string;
                        }[];
                        /**
                         * Format: date-time
                         * @description Until when it can be completed; then nothing of it is kept. ISO 8601, UTC.
                         */
                        expires_at: string;
                    };
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
            /** @description How a direct upload stands. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the upload. */
                        upload_id: string;
                        /** @description The same: the video exists from now on, as `processing`. */
                        video_id: string;
                        /** @description Size of the whole file in bytes. */
                        size_bytes: number;
                        /** @description Size of each part but the last, which is what is left. */
                        part_bytes: number;
                        /** @description How many parts there are. */
                        part_count: number;
                        /** @description The parts that are there. */
                        arrived: {
                            /** @description Number of the part; the first is 1. */
                            part_number: number;
                            /** @description Its size in bytes. */
                            size_bytes: number;
                        }[];
                        /** @description When it begins: URLs of the first 100 parts. Ask for those of others, and for new ones. */
                        part_urls: {
                            /** @description Number of the part; the first is 1. */
                            part_number: number;
                            /** @description Its size in bytes. */
                            size_bytes: number;
                            /** @description Send the part here: its bytes, and no more, as the body. */
                            url: string;
                            /**
                             * @description Always `PUT`.
                             * @enum {string}
                             */
                            method: "PUT";
                            /**
                             * Format: date-time
                             * @description Until when the URL holds, ISO 8601, UTC.
                             */
                            expires_at: string;
                        }[];
                        /**
                         * Format: date-time
                         * @description Until when it can be completed; then nothing of it is kept. ISO 8601, UTC.
                         */
                        expires_at: string;
                    };
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
            /** @description The upload is over. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ended",
                     *       "upload_id": "019a0b1c2d3e7f008000000000000010"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `ended`.
                         * @enum {string}
                         */
                        status: "ended";
                        /** @description Identifier of the upload that was. */
                        upload_id: string;
                    };
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
            /** @description How a video stands. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the video. */
                        video_id: string;
                        /**
                         * @description `processing`: on its way; `uploaded`: stored and readable; `uploading_failed`: `message` says why.
                         * @enum {string}
                         */
                        status: "processing" | "uploaded" | "uploading_failed";
                        /** @description Name of the video, as it was given. */
                        video_name: string;
                        /** @description The same as `video_name`. */
                        filename: string;
                        /** @description Length in seconds of presentation time; null until it is known. */
                        duration_s: number | null;
                        /** @description The folder it lies in, if any. */
                        folder_id: string | null;
                        /** @description That folder's name. */
                        folder_name: string | null;
                        /** @description The organisation it belongs to. */
                        org_id: string;
                        /**
                         * @description `user`: its owner sees it; `org`: everyone in the organisation does; `sample`: so too, and nobody changes it.
                         * @enum {string}
                         */
                        scope: "user" | "org" | "sample";
                        /**
                         * Format: date-time
                         * @description When its upload began, ISO 8601, UTC.
                         */
                        created_at: string;
                        /** @description Only for a failed one: the code of the reason. */
                        error?: string;
                        /** @description Only for a failed one: the reason, in a sentence. */
                        message?: string;
                        /** @description What it is tagged with. */
                        tags: string[];
                        /** @description How the arrival stands, where existing clients look for it. Analyses never change it. */
                        visual_analysis: {
                            /** @description How the arrival stands. */
                            status: {
                                /**
                                 * @description The same in the words that existing clients poll for.
                                 * @enum {string}
                                 */
                                status: "PREPARE_IN_PROGRESS" | "UPLOADED" | "UPLOADING_FAILED";
                                /** @description Only for a failed one: the code of the reason. */
                                error?: string;
                                /** @description Only for a failed one: the reason, in a sentence. */
                                message?: string;
                            };
                        };
                        /** @description What is known of the file, and beside it what users say of the video. */
                        metadata: {
                            /** @description How the arrival stands, where existing clients look for it. Analyses never change it. */
                            visual_analysis: {
                                /** @description How the arrival stands. */
                                status: {
                                    /**
                                     * @description The same in the words that existing clients poll for.
                                     * @enum {string}
                                     */
                                    status: "PREPARE_IN_PROGRESS" | "UPLOADED" | "UPLOADING_FAILED";
                                    /** @description Only for a failed one: the code of the reason. */
                                    error?: string;
                                    /** @description Only for a failed one: the reason, in a sentence. */
                                    message?: string;
                                };
                            };
                            /** @description Always 1: a video is not cut up. */
                            chunks_total: number;
                            /** @description 1 once the video is stored. */
                            chunks_uploaded: number;
                            /** @description How it came: `file` or `video_url`. */
                            source: string;
                            /** @description Where it came from, without credentials. */
                            source_uri: string | null;
                            /** @description Size of the file in bytes. */
                            size_bytes: number | null;
                            /** @description SHA-256 of the file, lower-case hex. */
                            sha256: string | null;
                            /** @description Width in pixels, as shown (after rotation). */
                            width: number | null;
                            /** @description Height in pixels, as shown. */
                            height: number | null;
                            /** @description Average frames per second, where the file says one. */
                            frame_rate: number | null;
                            /** @description Container, as its bytes say. */
                            container: string | null;
                            /** @description Codec of the pictures. */
                            video_codec: string | null;
                            /** @description Codec of the sound; null without sound. */
                            audio_codec: string | null;
                            /** @description The file's own creation time, ISO 8601, UTC. */
                            recorded_at: string | null;
                            /** @description What came as `metadata_file`: its name, size, declared fields, and what of it is understood as telemetry. */
                            sidecar?: unknown;
                        } & {
                            [key: string]: unknown;
                        };
                    };
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
        /** @description The parts that URLs are wanted for. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "part_numbers": [
                 *         1,
                 *         2
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Which parts to send. */
                    part_numbers: number[];
                };
            };
        };
        responses: {
            /** @description URLs of parts. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description In the order that was asked for. */
                        part_urls: {
                            /** @description Number of the part; the first is 1. */
                            part_number: number;
                            /** @description Its size in bytes. */
                            size_bytes: number;
                            /** @description Send the part here: its bytes, and no more, as the body. */
                            url: string;
                            /**
                             * @description Always `PUT`.
                             * @enum {string}
                             */
                            method: "PUT";
                            /**
                             * Format: date-time
                             * @description Until when the URL holds, ISO 8601, UTC.
                             */
                            expires_at: string;
                        }[];
                    };
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
    getEvidencePicture: {
        parameters: {
            query: {
                /** @description The signature, as it stands in the URL that the document gives. */
                token: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the analysis. */
                analysis_id: string;
                /** @description File name of the picture. */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
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
                /** @description Only your personal folders, or only those of the organisation. Without it: both. */
                scope?: "user" | "org";
                /** @description How many folders at most; 100 without it. */
                limit?: number;
                /** @description The `next_cursor` of the page before. */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                     *           "retention_days": null
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description By name. */
                        folders: {
                            /** @description Identifier of the folder. */
                            id: string;
                            /** @description The name, unique per scope. Spaces around it are dropped. */
                            name: string;
                            /** @description The organisation it belongs to; also set for personal folders. */
                            org_id: string;
                            /** @description What the folder is for; empty when nothing was said. */
                            description: string;
                            /**
                             * Format: date-time
                             * @description When it was made, ISO 8601, UTC.
                             */
                            created_at: string;
                            /**
                             * @description `user`: a personal folder, seen by its owner alone; `org`: seen by everyone in the organisation. `sample`: the folder of samples, which everyone in it reads and nobody changes.
                             * @enum {string}
                             */
                            scope: "user" | "org" | "sample";
                            /** @description The user who made it. */
                            created_by: string;
                            /** @description How many videos lie in it. */
                            video_count: number;
                            /** @description Videos in it are deleted this many days after their upload began; null keeps them. */
                            retention_days: number | null;
                        }[];
                        /** @description Whether more folders follow. */
                        has_more: boolean;
                        /** @description Give it as `cursor` to get them. */
                        next_cursor: string | null;
                    };
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
        /** @description A folder to make. Without a scope it is personal. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Night drives",
                 *       "scope": "org",
                 *       "description": "Collected in Lisbon"
                 *     }
                 */
                "application/json": {
                    /** @description The name, unique per scope. Spaces around it are dropped. */
                    name: string;
                    /** @description `user`: a personal folder, seen by its owner alone; `org`: seen by everyone in the organisation. */
                    scope?: ("user" | "org") | null;
                    /** @description What the folder is for. */
                    description?: string | null;
                    /** @description Videos in it are deleted this many days after their upload began; null keeps them. */
                    retention_days?: number | null;
                };
            };
        };
        responses: {
            /** @description A folder. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a0b1c2d3e7f008000000000000003",
                     *       "name": "Night drives",
                     *       "org_id": "019a0b1c2d3e7f008000000000000000",
                     *       "description": "Collected in Lisbon",
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "scope": "org",
                     *       "created_by": "019a0b1c2d3e7f008000000000000001",
                     *       "video_count": 12,
                     *       "retention_days": null
                     *     }
                     */
                    "application/json": {
                        /** @description Identifier of the folder. */
                        id: string;
                        /** @description The name, unique per scope. Spaces around it are dropped. */
                        name: string;
                        /** @description The organisation it belongs to; also set for personal folders. */
                        org_id: string;
                        /** @description What the folder is for; empty when nothing was said. */
                        description: string;
                        /**
                         * Format: date-time
                         * @description When it was made, ISO 8601, UTC.
                         */
                        created_at: string;
                        /**
                         * @description `user`: a personal folder, seen by its owner alone; `org`: seen by everyone in the organisation. `sample`: the folder of samples, which everyone in it reads and nobody changes.
                         * @enum {string}
                         */
                        scope: "user" | "org" | "sample";
                        /** @description The user who made it. */
                        created_by: string;
                        /** @description How many videos lie in it. */
                        video_count: number;
                        /** @description Videos in it are deleted this many days after their upload began; null keeps them. */
                        retention_days: number | null;
                    };
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
        /** @description A folder to make. Without a scope it is personal. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Night drives",
                 *       "scope": "org",
                 *       "description": "Collected in Lisbon"
                 *     }
                 */
                "application/json": {
                    /** @description The name, unique per scope. Spaces around it are dropped. */
                    name: string;
                    /** @description `user`: a personal folder, seen by its owner alone; `org`: seen by everyone in the organisation. */
                    scope?: ("user" | "org") | null;
                    /** @description What the folder is for. */
                    description?: string | null;
                    /** @description Videos in it are deleted this many days after their upload began; null keeps them. */
                    retention_days?: number | null;
                };
            };
        };
        responses: {
            /** @description A folder. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a0b1c2d3e7f008000000000000003",
                     *       "name": "Night drives",
                     *       "org_id": "019a0b1c2d3e7f008000000000000000",
                     *       "description": "Collected in Lisbon",
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "scope": "org",
                     *       "created_by": "019a0b1c2d3e7f008000000000000001",
                     *       "video_count": 12,
                     *       "retention_days": null
                     *     }
                     */
                    "application/json": {
                        /** @description Identifier of the folder. */
                        id: string;
                        /** @description The name, unique per scope. Spaces around it are dropped. */
                        name: string;
                        /** @description The organisation it belongs to; also set for personal folders. */
                        org_id: string;
                        /** @description What the folder is for; empty when nothing was said. */
                        description: string;
                        /**
                         * Format: date-time
                         * @description When it was made, ISO 8601, UTC.
                         */
                        created_at: string;
                        /**
                         * @description `user`: a personal folder, seen by its owner alone; `org`: seen by everyone in the organisation. `sample`: the folder of samples, which everyone in it reads and nobody changes.
                         * @enum {string}
                         */
                        scope: "user" | "org" | "sample";
                        /** @description The user who made it. */
                        created_by: string;
                        /** @description How many videos lie in it. */
                        video_count: number;
                        /** @description Videos in it are deleted this many days after their upload began; null keeps them. */
                        retention_days: number | null;
                    };
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
                /** @description The name, unique per scope. Spaces around it are dropped. */
                name: string;
                /** @description Where to look. Without it: the personal folder of this name if there is one, else the organisation’s. */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a0b1c2d3e7f008000000000000003",
                     *       "name": "Night drives",
                     *       "org_id": "019a0b1c2d3e7f008000000000000000",
                     *       "description": "Collected in Lisbon",
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "scope": "org",
                     *       "created_by": "019a0b1c2d3e7f008000000000000001",
                     *       "video_count": 12,
                     *       "retention_days": null
                     *     }
                     */
                    "application/json": {
                        /** @description Identifier of the folder. */
                        id: string;
                        /** @description The name, unique per scope. Spaces around it are dropped. */
                        name: string;
                        /** @description The organisation it belongs to; also set for personal folders. */
                        org_id: string;
                        /** @description What the folder is for; empty when nothing was said. */
                        description: string;
                        /**
                         * Format: date-time
                         * @description When it was made, ISO 8601, UTC.
                         */
                        created_at: string;
                        /**
                         * @description `user`: a personal folder, seen by its owner alone; `org`: seen by everyone in the organisation. `sample`: the folder of samples, which everyone in it reads and nobody changes.
                         * @enum {string}
                         */
                        scope: "user" | "org" | "sample";
                        /** @description The user who made it. */
                        created_by: string;
                        /** @description How many videos lie in it. */
                        video_count: number;
                        /** @description Videos in it are deleted this many days after their upload began; null keeps them. */
                        retention_days: number | null;
                    };
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a0b1c2d3e7f008000000000000003",
                     *       "name": "Night drives",
                     *       "org_id": "019a0b1c2d3e7f008000000000000000",
                     *       "description": "Collected in Lisbon",
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "scope": "org",
                     *       "created_by": "019a0b1c2d3e7f008000000000000001",
                     *       "video_count": 12,
                     *       "retention_days": null
                     *     }
                     */
                    "application/json": {
                        /** @description Identifier of the folder. */
                        id: string;
                        /** @description The name, unique per scope. Spaces around it are dropped. */
                        name: string;
                        /** @description The organisation it belongs to; also set for personal folders. */
                        org_id: string;
                        /** @description What the folder is for; empty when nothing was said. */
                        description: string;
                        /**
                         * Format: date-time
                         * @description When it was made, ISO 8601, UTC.
                         */
                        created_at: string;
                        /**
                         * @description `user`: a personal folder, seen by its owner alone; `org`: seen by everyone in the organisation. `sample`: the folder of samples, which everyone in it reads and nobody changes.
                         * @enum {string}
                         */
                        scope: "user" | "org" | "sample";
                        /** @description The user who made it. */
                        created_by: string;
                        /** @description How many videos lie in it. */
                        video_count: number;
                        /** @description Videos in it are deleted this many days after their upload began; null keeps them. */
                        retention_days: number | null;
                    };
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
                /** @description What becomes of the videos in it: `move_to_root` leaves them in no folder, `delete` deletes them as deleting each would. Required when it holds any. */
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
            /** @description The folder is gone. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "deleted",
                     *       "folder_id": "019a0b1c2d3e7f008000000000000003",
                     *       "video_count": 12
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `deleted`.
                         * @enum {string}
                         */
                        status: "deleted";
                        /** @description Identifier of the folder that was. */
                        folder_id: string;
                        /** @description How many videos were moved out of it, or deleted with it. */
                        video_count: number;
                    };
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
        /** @description What is to change; what is left out stays. A `description` of null is emptied, a `retention_days` of null keeps videos for ever. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Night drives 2026",
                 *       "retention_days": 90
                 *     }
                 */
                "application/json": {
                    /** @description The name, unique per scope. Spaces around it are dropped. */
                    name?: string | null;
                    /** @description What the folder is for. */
                    description?: string | null;
                    /** @description Videos in it are deleted this many days after their upload began; null keeps them. */
                    retention_days?: number | null;
                };
            };
        };
        responses: {
            /** @description A folder. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a0b1c2d3e7f008000000000000003",
                     *       "name": "Night drives",
                     *       "org_id": "019a0b1c2d3e7f008000000000000000",
                     *       "description": "Collected in Lisbon",
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "scope": "org",
                     *       "created_by": "019a0b1c2d3e7f008000000000000001",
                     *       "video_count": 12,
                     *       "retention_days": null
                     *     }
                     */
                    "application/json": {
                        /** @description Identifier of the folder. */
                        id: string;
                        /** @description The name, unique per scope. Spaces around it are dropped. */
                        name: string;
                        /** @description The organisation it belongs to; also set for personal folders. */
                        org_id: string;
                        /** @description What the folder is for; empty when nothing was said. */
                        description: string;
                        /**
                         * Format: date-time
                         * @description When it was made, ISO 8601, UTC.
                         */
                        created_at: string;
                        /**
                         * @description `user`: a personal folder, seen by its owner alone; `org`: seen by everyone in the organisation. `sample`: the folder of samples, which everyone in it reads and nobody changes.
                         * @enum {string}
                         */
                        scope: "user" | "org" | "sample";
                        /** @description The user who made it. */
                        created_by: string;
                        /** @description How many videos lie in it. */
                        video_count: number;
                        /** @description Videos in it are deleted this many days after their upload began; null keeps them. */
                        retention_days: number | null;
                    };
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
        /** @description What to fuse. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "batch_ids": [
                 *         "019a0b1c2d3e7f008000000000000081"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Batches that asked views, such as one per view. */
                    batch_ids: string[];
                    /** @description The view of each batch, in the order of `batch_ids`, for videos that are not linked: the first videos of the batches belong together, then the second ones, with clocks that begin together. Linked videos keep the roles of their set. */
                    view_keys?: string[] | null;
                };
            };
        };
        responses: {
            /** @description What the views saw together. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description The roles of the views. */
                        view_types: string[];
                        /** @description `linked_views`: by the sets that videos are views of, and their offsets; `view_keys`: also by the order of videos in batches. */
                        fusion_method: string;
                        /** @description One result per set of views. */
                        results: {
                            /** @description The video of the primary view. */
                            video_id: string;
                            /** @description Role to video. */
                            views: {
                                [key: string]: string;
                            };
                            /** @description What happened, each happening once. */
                            events: {
                                /** @description The event of the view that is surest. */
                                event_id: string;
                                /** @description The kind of happening. */
                                category: string;
                                /** @description What it is called by the view that is surest. */
                                label: string;
                                /** @description `low`, `medium` or `high`. */
                                severity: string;
                                /** @description The highest among the views, 0 to 1. */
                                confidence: number;
                                /** @description From when any view sees it, in seconds of the primary view. */
                                start_s: number;
                                /** @description Until when, in seconds of the primary view. */
                                end_s: number;
                                /** @description Who saw it. */
                                views: {
                                    /** @description Role of the view. */
                                    role: string;
                                    /** @description Its video. */
                                    video_id: string;
                                    /** @description The analysis that found it there. */
                                    analysis_id: string;
                                    /** @description The event in that analysis. */
                                    event_id: string;
                                    /** @description What it is called there. */
                                    label: string;
                                    /** @description 0 to 1. */
                                    confidence: number;
                                    /** @description From when, in seconds of that video. */
                                    start_s: number;
                                    /** @description Until when, in seconds of that video. */
                                    end_s: number;
                                }[];
                            }[];
                        }[];
                        /** @description What could not be fused. */
                        unmatched_results: {
                            /** @description A video that is no view of a set. */
                            video_id: string;
                            /** @description Its analysis. */
                            analysis_id: string;
                            /** @description Its events, as they are. */
                            events: {
                                [key: string]: unknown;
                            }[];
                        }[];
                    };
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
        /** @description Either `files`, or `sets`, or a selection by `prefix`, `include` and `exclude`. */
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Names of objects in the bucket, or their addresses (`s3://bucket/key`). Doubles count once. */
                    files?: string[] | null;
                    /** @description The saved integration that opens the bucket; without it the one that was saved for the bucket. */
                    integration_id?: string | null;
                    /** @description Name of the bucket; may be left out with `integration_id`. */
                    bucket?: string | null;
                    /** @description Sets of views, in place of single objects. A row of the import is a set. */
                    sets?: {
                        /** @description Object by role: `front`, which each set has, and others such as `left`, `right`, `rear`. */
                        views: {
                            [key: string]: string;
                        };
                    }[] | null;
                    /** @description Whether objects that were imported already, in the same version, are imported again. Default false. */
                    force?: boolean | null;
                    /** @description Bring what begins with this; without it the prefix of the integration. */
                    prefix?: string | null;
                    /** @description Of these only what fits one of the patterns: `*` within a folder, `**` across folders, `?` one character. */
                    include?: string[] | null;
                    /** @description And not what fits one of these. */
                    exclude?: string[] | null;
                    /** @description Folder that the videos go to. */
                    folder_id?: string | null;
                    /** @description Who sees the videos: `user`, you alone; `org`, the organisation. Without it: as the folder, else `user`. */
                    scope?: ("user" | "org") | null;
                    /** @description Whether what was measured beside a video comes with it: an object of the same name with the ending `.json`, `.csv` or `.srt`. Default false. */
                    sidecars?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The import has begun. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the import job, `ij_` and 12 hexadecimal digits. */
                        import_job_id: string;
                        /**
                         * @description `importing`; then `completed` (all came), `partial` (some came), `failed` (none came) or `cancelled`.
                         * @enum {string}
                         */
                        status: "importing" | "completed" | "partial" | "failed" | "cancelled";
                        /** @description Rows so far: all of them when objects were named. */
                        total: number;
                        /** @description Objects so far that were imported already and are skipped. */
                        skipped: number;
                        /** @description The ids that the named objects will have as videos, in their order, or have already; empty for a selection. */
                        uploaded_video_ids: string[];
                    };
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
    getApiHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is up. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "version": "0.1.0",
                     *       "uptime_s": 86400
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description The process is up and answers.
                         * @enum {string}
                         */
                        status: "ok";
                        /** @description Version of the service. */
                        version: string;
                        /** @description Seconds since this process started. */
                        uptime_s: number;
                    };
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
        /** @description Either `files`, or `sets`, or a selection by `prefix`, `include` and `exclude`. */
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Names of objects in the bucket, or their addresses (`s3://bucket/key`). Doubles count once. */
                    files?: string[] | null;
                    /** @description The saved integration that opens the bucket; without it the one that was saved for the bucket. */
                    integration_id?: string | null;
                    /** @description Name of the bucket; may be left out with `integration_id`. */
                    bucket?: string | null;
                    /** @description Sets of views, in place of single objects. A row of the import is a set. */
                    sets?: {
                        /** @description Object by role: `front`, which each set has, and others such as `left`, `right`, `rear`. */
                        views: {
                            [key: string]: string;
                        };
                    }[] | null;
                    /** @description Whether objects that were imported already, in the same version, are imported again. Default false. */
                    force?: boolean | null;
                    /** @description Bring what begins with this; without it the prefix of the integration. */
                    prefix?: string | null;
                    /** @description Of these only what fits one of the patterns: `*` within a folder, `**` across folders, `?` one character. */
                    include?: string[] | null;
                    /** @description And not what fits one of these. */
                    exclude?: string[] | null;
                    /** @description Folder that the videos go to. */
                    folder_id?: string | null;
                    /** @description Who sees the videos: `user`, you alone; `org`, the organisation. Without it: as the folder, else `user`. */
                    scope?: ("user" | "org") | null;
                    /** @description Whether what was measured beside a video comes with it: an object of the same name with the ending `.json`, `.csv` or `.srt`. Default false. */
                    sidecars?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The import has begun. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the import job, `ij_` and 12 hexadecimal digits. */
                        import_job_id: string;
                        /**
                         * @description `importing`; then `completed` (all came), `partial` (some came), `failed` (none came) or `cancelled`.
                         * @enum {string}
                         */
                        status: "importing" | "completed" | "partial" | "failed" | "cancelled";
                        /** @description Rows so far: all of them when objects were named. */
                        total: number;
                        /** @description Objects so far that were imported already and are skipped. */
                        skipped: number;
                        /** @description The ids that the named objects will have as videos, in their order, or have already; empty for a selection. */
                        uploaded_video_ids: string[];
                    };
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
    listImportJobs: {
        parameters: {
            query?: {
                /** @description How many at most; 100 without it. */
                limit?: number;
                /** @description The `next_cursor` of the page before. */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Newest first. */
                        import_jobs: ({
                            /** @description Identifier of the import job, `ij_` and 12 hexadecimal digits. */
                            id: string;
                            /** @description Identifier of the import job, `ij_` and 12 hexadecimal digits. */
                            import_job_id: string;
                            /** @description Identifier of the import job, `ij_` and 12 hexadecimal digits. */
                            job_id: string;
                            /**
                             * @description `importing`; then `completed` (all came), `partial` (some came), `failed` (none came) or `cancelled`.
                             * @enum {string}
                             */
                            status: "importing" | "completed" | "partial" | "failed" | "cancelled";
                            /**
                             * @description Where the bucket is.
                             * @enum {string}
                             */
                            source: "gcs" | "s3" | "hf_bucket";
                            /** @description Name of the bucket. */
                            bucket: string;
                            /** @description Prefix of the selection; null when objects were named. */
                            prefix: string | null;
                            /** @description The integration; null: a public bucket, or it was deleted. */
                            integration_id: string | null;
                            /** @description The scheduled import that this is a run of. */
                            sync_id: string | null;
                            /** @description Folder that the videos go to. */
                            folder_id: string | null;
                            /** @description Name of that folder. */
                            folder_name: string | null;
                            /**
                             * @description Who sees the videos: `user`, you alone; `org`, the organisation. Without it: as the folder, else `user`.
                             * @enum {string}
                             */
                            scope: "user" | "org";
                            /** @description Whether it has ended: nothing of it changes any more unless it is retried. */
                            terminal: boolean;
                            /** @description Seconds to wait before the next request for its state; null once it has ended. */
                            poll_after_seconds: number | null;
                            /** @description Whether all rows are there; until then `total` grows. */
                            listed: boolean;
                            /** @description Rows: objects, or sets of views. */
                            total: number;
                            /** @description Objects: each view of a set counts. */
                            objects: number;
                            /** @description Objects that are in the library, skipped ones included. */
                            uploaded: number;
                            /** @description Those of `uploaded` that were imported already, and were not imported again. */
                            skipped: number;
                            /** @description Objects that did not come. */
                            failed: number;
                            /** @description Code of why the bucket could not be listed to its end. */
                            error: string | null;
                            /** @description The same in a sentence. */
                            message: string | null;
                            /**
                             * Format: date-time
                             * @description When it began, ISO 8601, UTC.
                             */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description When it last came on.
                             */
                            updated_at: string;
                            /** @description When it ended. */
                            completed_at: string | null;
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description Whether more follow. */
                        has_more: boolean;
                        /** @description Give it as `cursor` to get them. */
                        next_cursor: string | null;
                    };
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
    previewImport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A selection to look at. `source` is needed where no integration says it. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "integration_id": "019a0b1c2d3e7f008000000000000021",
                 *       "prefix": "drives/",
                 *       "include": [
                 *         "**\/front_*.mp4"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Where the bucket is. */
                    source?: ("gcs" | "s3" | "hf_bucket") | null;
                    /** @description The saved integration that opens the bucket; without it the one that was saved for the bucket. */
                    integration_id?: string | null;
                    /** @description Name of the bucket; may be left out with `integration_id`. */
                    bucket?: string | null;
                    /** @description Bring what begins with this; without it the prefix of the integration. */
                    prefix?: string | null;
                    /** @description Of these only what fits one of the patterns: `*` within a folder, `**` across folders, `?` one character. */
                    include?: string[] | null;
                    /** @description And not what fits one of these. */
                    exclude?: string[] | null;
                    /** @description The `next_cursor` of the page before. */
                    cursor?: string | null;
                };
            };
        };
        responses: {
            /** @description A page of what would be imported. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description What would come, in the order of the bucket. */
                        objects: {
                            /** @description Name of the object. */
                            key: string;
                            /** @description Address of the object: `s3://bucket/key`. */
                            import_source_uri: string;
                            /** @description Size of the object. */
                            size_bytes: number;
                        }[];
                        /** @description Objects of this page that would not come. */
                        passed_over: number;
                        /** @description Whether the bucket goes on. */
                        has_more: boolean;
                        /** @description Give it as `cursor` to go on. */
                        next_cursor: string | null;
                    };
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
    getImportJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the import job. */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the import job, `ij_` and 12 hexadecimal digits. */
                        id: string;
                        /** @description Identifier of the import job, `ij_` and 12 hexadecimal digits. */
                        import_job_id: string;
                        /** @description Identifier of the import job, `ij_` and 12 hexadecimal digits. */
                        job_id: string;
                        /**
                         * @description `importing`; then `completed` (all came), `partial` (some came), `failed` (none came) or `cancelled`.
                         * @enum {string}
                         */
                        status: "importing" | "completed" | "partial" | "failed" | "cancelled";
                        /**
                         * @description Where the bucket is.
                         * @enum {string}
                         */
                        source: "gcs" | "s3" | "hf_bucket";
                        /** @description Name of the bucket. */
                        bucket: string;
                        /** @description Prefix of the selection; null when objects were named. */
                        prefix: string | null;
                        /** @description The integration; null: a public bucket, or it was deleted. */
                        integration_id: string | null;
                        /** @description The scheduled import that this is a run of. */
                        sync_id: string | null;
                        /** @description Folder that the videos go to. */
                        folder_id: string | null;
                        /** @description Name of that folder. */
                        folder_name: string | null;
                        /**
                         * @description Who sees the videos: `user`, you alone; `org`, the organisation. Without it: as the folder, else `user`.
                         * @enum {string}
                         */
                        scope: "user" | "org";
                        /** @description Whether it has ended: nothing of it changes any more unless it is retried. */
                        terminal: boolean;
                        /** @description Seconds to wait before the next request for its state; null once it has ended. */
                        poll_after_seconds: number | null;
                        /** @description Whether all rows are there; until then `total` grows. */
                        listed: boolean;
                        /** @description Rows: objects, or sets of views. */
                        total: number;
                        /** @description Objects: each view of a set counts. */
                        objects: number;
                        /** @description Objects that are in the library, skipped ones included. */
                        uploaded: number;
                        /** @description Those of `uploaded` that were imported already, and were not imported again. */
                        skipped: number;
                        /** @description Objects that did not come. */
                        failed: number;
                        /** @description Code of why the bucket could not be listed to its end. */
                        error: string | null;
                        /** @description The same in a sentence. */
                        message: string | null;
                        /**
                         * Format: date-time
                         * @description When it began, ISO 8601, UTC.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When it last came on.
                         */
                        updated_at: string;
                        /** @description When it ended. */
                        completed_at: string | null;
                    } & {
                        [key: string]: unknown;
                    };
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
                /** @description Identifier of the import job. */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the import job, `ij_` and 12 hexadecimal digits. */
                        id: string;
                        /** @description Identifier of the import job, `ij_` and 12 hexadecimal digits. */
                        import_job_id: string;
                        /** @description Identifier of the import job, `ij_` and 12 hexadecimal digits. */
                        job_id: string;
                        /**
                         * @description `importing`; then `completed` (all came), `partial` (some came), `failed` (none came) or `cancelled`.
                         * @enum {string}
                         */
                        status: "importing" | "completed" | "partial" | "failed" | "cancelled";
                        /**
                         * @description Where the bucket is.
                         * @enum {string}
                         */
                        source: "gcs" | "s3" | "hf_bucket";
                        /** @description Name of the bucket. */
                        bucket: string;
                        /** @description Prefix of the selection; null when objects were named. */
                        prefix: string | null;
                        /** @description The integration; null: a public bucket, or it was deleted. */
                        integration_id: string | null;
                        /** @description The scheduled import that this is a run of. */
                        sync_id: string | null;
                        /** @description Folder that the videos go to. */
                        folder_id: string | null;
                        /** @description Name of that folder. */
                        folder_name: string | null;
                        /**
                         * @description Who sees the videos: `user`, you alone; `org`, the organisation. Without it: as the folder, else `user`.
                         * @enum {string}
                         */
                        scope: "user" | "org";
                        /** @description Whether it has ended: nothing of it changes any more unless it is retried. */
                        terminal: boolean;
                        /** @description Seconds to wait before the next request for its state; null once it has ended. */
                        poll_after_seconds: number | null;
                        /** @description Whether all rows are there; until then `total` grows. */
                        listed: boolean;
                        /** @description Rows: objects, or sets of views. */
                        total: number;
                        /** @description Objects: each view of a set counts. */
                        objects: number;
                        /** @description Objects that are in the library, skipped ones included. */
                        uploaded: number;
                        /** @description Those of `uploaded` that were imported already, and were not imported again. */
                        skipped: number;
                        /** @description Objects that did not come. */
                        failed: number;
                        /** @description Code of why the bucket could not be listed to its end. */
                        error: string | null;
                        /** @description The same in a sentence. */
                        message: string | null;
                        /**
                         * Format: date-time
                         * @description When it began, ISO 8601, UTC.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When it last came on.
                         */
                        updated_at: string;
                        /** @description When it ended. */
                        completed_at: string | null;
                    } & {
                        [key: string]: unknown;
                    };
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
                /** @description Identifier of the import job. */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the import job, `ij_` and 12 hexadecimal digits. */
                        id: string;
                        /** @description Identifier of the import job, `ij_` and 12 hexadecimal digits. */
                        import_job_id: string;
                        /** @description Identifier of the import job, `ij_` and 12 hexadecimal digits. */
                        job_id: string;
                        /**
                         * @description `importing`; then `completed` (all came), `partial` (some came), `failed` (none came) or `cancelled`.
                         * @enum {string}
                         */
                        status: "importing" | "completed" | "partial" | "failed" | "cancelled";
                        /**
                         * @description Where the bucket is.
                         * @enum {string}
                         */
                        source: "gcs" | "s3" | "hf_bucket";
                        /** @description Name of the bucket. */
                        bucket: string;
                        /** @description Prefix of the selection; null when objects were named. */
                        prefix: string | null;
                        /** @description The integration; null: a public bucket, or it was deleted. */
                        integration_id: string | null;
                        /** @description The scheduled import that this is a run of. */
                        sync_id: string | null;
                        /** @description Folder that the videos go to. */
                        folder_id: string | null;
                        /** @description Name of that folder. */
                        folder_name: string | null;
                        /**
                         * @description Who sees the videos: `user`, you alone; `org`, the organisation. Without it: as the folder, else `user`.
                         * @enum {string}
                         */
                        scope: "user" | "org";
                        /** @description Whether it has ended: nothing of it changes any more unless it is retried. */
                        terminal: boolean;
                        /** @description Seconds to wait before the next request for its state; null once it has ended. */
                        poll_after_seconds: number | null;
                        /** @description Whether all rows are there; until then `total` grows. */
                        listed: boolean;
                        /** @description Rows: objects, or sets of views. */
                        total: number;
                        /** @description Objects: each view of a set counts. */
                        objects: number;
                        /** @description Objects that are in the library, skipped ones included. */
                        uploaded: number;
                        /** @description Those of `uploaded` that were imported already, and were not imported again. */
                        skipped: number;
                        /** @description Objects that did not come. */
                        failed: number;
                        /** @description Code of why the bucket could not be listed to its end. */
                        error: string | null;
                        /** @description The same in a sentence. */
                        message: string | null;
                        /**
                         * Format: date-time
                         * @description When it began, ISO 8601, UTC.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When it last came on.
                         */
                        updated_at: string;
                        /** @description When it ended. */
                        completed_at: string | null;
                    } & {
                        [key: string]: unknown;
                    };
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
    listImportJobVideos: {
        parameters: {
            query?: {
                /** @description Rows at most; 500 without it. */
                limit?: number;
                /** @description The `next_cursor` of the page before: its last `video_id`. */
                cursor?: string;
                /** @description Rows to pass over, in place of `cursor`. Not for imports of sets. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Identifier of the import job. */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the import job, `ij_` and 12 hexadecimal digits. */
                        import_job_id: string;
                        /** @description One page, in the order in which the objects were named or listed. */
                        videos: ({
                            /** @description Id of the video that it becomes; of a recording, of its ingest (`/api/mcap/{ingest_id}`). */
                            video_id: string;
                            /** @description What it is: `video`, or `recording` (MCAP), which is `UPLOADED` once it is here and becomes videos then. */
                            kind: string;
                            /** @description `PROCESSING`, and at the end `UPLOADED` or `UPLOADING_FAILED`. Of a set: of all its views. */
                            status: string;
                            /** @description `already imported`: the object is in the library in this version, and `video_id` is the video of the earlier import. Null otherwise. */
                            skipped: "already imported" | null;
                            /** @description Address of the object: `s3://bucket/key`. */
                            import_source_uri: string;
                            /** @description Size of the object, once it is known. */
                            size_bytes: number | null;
                            /** @description Code of why it did not come. */
                            error: string | null;
                            /** @description The same in a sentence. */
                            message: string | null;
                            /** @description The views of a set by role. */
                            views?: {
                                [key: string]: {
                                    /** @description Id of the video that it becomes; of a recording, of its ingest (`/api/mcap/{ingest_id}`). */
                                    video_id: string;
                                    /** @description What it is: `video`, or `recording` (MCAP), which is `UPLOADED` once it is here and becomes videos then. */
                                    kind: string;
                                    /** @description `PROCESSING`, and at the end `UPLOADED` or `UPLOADING_FAILED`. Of a set: of all its views. */
                                    status: string;
                                    /** @description `already imported`: the object is in the library in this version, and `video_id` is the video of the earlier import. Null otherwise. */
                                    skipped: "already imported" | null;
                                    /** @description Address of the object: `s3://bucket/key`. */
                                    import_source_uri: string;
                                    /** @description Code of why it did not come. */
                                    error: string | null;
                                    /** @description The same in a sentence. */
                                    message: string | null;
                                };
                            };
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description Rows of the job so far. */
                        total: number;
                        /** @description Rows of this page. */
                        video_count: number;
                        /** @description Whether more rows follow now. */
                        has_more: boolean;
                        /** @description Give it as `cursor` to get them; null without more. */
                        next_cursor: string | null;
                        /** @description Rows that a page has at most. */
                        limit: number;
                        /** @description The cursor that was given. */
                        cursor: string | null;
                    } & {
                        [key: string]: unknown;
                    };
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
            /** @description The scheduled imports that you see. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Oldest first. */
                        syncs: {
                            /** @description Identifier of the scheduled import. */
                            id: string;
                            /** @description The integration that it uses. */
                            integration_id: string;
                            /** @description What it brings begins with this. */
                            prefix: string;
                            /** @description Patterns, one of which must fit. */
                            include: string[];
                            /** @description Patterns, none of which may fit. */
                            exclude: string[];
                            /** @description Folder that the videos go to. */
                            folder_id: string | null;
                            /**
                             * @description Who sees the videos: `user`, you alone; `org`, the organisation. Without it: as the folder, else `user`.
                             * @enum {string}
                             */
                            scope: "user" | "org";
                            /** @description Whether what was measured beside a video comes with it: an object of the same name with the ending `.json`, `.csv` or `.srt`. Default false. */
                            sidecars: boolean;
                            /** @description How often the bucket is looked at, in minutes. */
                            every_minutes: number;
                            /** @description When it is due, ISO 8601, UTC; null: it has stopped. */
                            next_run_at: string | null;
                            /** @description Code of why it has stopped: whoever made it left, or may not use the integration or folder any more. */
                            error: string | null;
                            /** @description The same in a sentence. */
                            message: string | null;
                            /** @description Its last run; a run that brought nothing new is not kept. */
                            last_import_job_id: string | null;
                            /**
                             * Format: date-time
                             * @description When it was made.
                             */
                            created_at: string;
                        }[];
                    };
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
        /** @description A selection to import again and again. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "integration_id": "019a0b1c2d3e7f008000000000000021",
                 *       "prefix": "drives/",
                 *       "every_minutes": 15,
                 *       "scope": "org"
                 *     }
                 */
                "application/json": {
                    /** @description The saved integration that opens the bucket. */
                    integration_id: string;
                    /** @description Bring what begins with this; without it the prefix of the integration. */
                    prefix?: string | null;
                    /** @description Of these only what fits one of the patterns: `*` within a folder, `**` across folders, `?` one character. */
                    include?: string[] | null;
                    /** @description And not what fits one of these. */
                    exclude?: string[] | null;
                    /** @description Folder that the videos go to. */
                    folder_id?: string | null;
                    /** @description Who sees the videos: `user`, you alone; `org`, the organisation. Without it: as the folder, else `user`. */
                    scope?: ("user" | "org") | null;
                    /** @description Whether what was measured beside a video comes with it: an object of the same name with the ending `.json`, `.csv` or `.srt`. Default false. */
                    sidecars?: boolean | null;
                    /** @description How often the bucket is looked at, in minutes; default 60. */
                    every_minutes?: number | null;
                };
            };
        };
        responses: {
            /** @description A scheduled import. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the scheduled import. */
                        id: string;
                        /** @description The integration that it uses. */
                        integration_id: string;
                        /** @description What it brings begins with this. */
                        prefix: string;
                        /** @description Patterns, one of which must fit. */
                        include: string[];
                        /** @description Patterns, none of which may fit. */
                        exclude: string[];
                        /** @description Folder that the videos go to. */
                        folder_id: string | null;
                        /**
                         * @description Who sees the videos: `user`, you alone; `org`, the organisation. Without it: as the folder, else `user`.
                         * @enum {string}
                         */
                        scope: "user" | "org";
                        /** @description Whether what was measured beside a video comes with it: an object of the same name with the ending `.json`, `.csv` or `.srt`. Default false. */
                        sidecars: boolean;
                        /** @description How often the bucket is looked at, in minutes. */
                        every_minutes: number;
                        /** @description When it is due, ISO 8601, UTC; null: it has stopped. */
                        next_run_at: string | null;
                        /** @description Code of why it has stopped: whoever made it left, or may not use the integration or folder any more. */
                        error: string | null;
                        /** @description The same in a sentence. */
                        message: string | null;
                        /** @description Its last run; a run that brought nothing new is not kept. */
                        last_import_job_id: string | null;
                        /**
                         * Format: date-time
                         * @description When it was made.
                         */
                        created_at: string;
                    };
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
    getImportSync: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the scheduled import. */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the scheduled import. */
                        id: string;
                        /** @description The integration that it uses. */
                        integration_id: string;
                        /** @description What it brings begins with this. */
                        prefix: string;
                        /** @description Patterns, one of which must fit. */
                        include: string[];
                        /** @description Patterns, none of which may fit. */
                        exclude: string[];
                        /** @description Folder that the videos go to. */
                        folder_id: string | null;
                        /**
                         * @description Who sees the videos: `user`, you alone; `org`, the organisation. Without it: as the folder, else `user`.
                         * @enum {string}
                         */
                        scope: "user" | "org";
                        /** @description Whether what was measured beside a video comes with it: an object of the same name with the ending `.json`, `.csv` or `.srt`. Default false. */
                        sidecars: boolean;
                        /** @description How often the bucket is looked at, in minutes. */
                        every_minutes: number;
                        /** @description When it is due, ISO 8601, UTC; null: it has stopped. */
                        next_run_at: string | null;
                        /** @description Code of why it has stopped: whoever made it left, or may not use the integration or folder any more. */
                        error: string | null;
                        /** @description The same in a sentence. */
                        message: string | null;
                        /** @description Its last run; a run that brought nothing new is not kept. */
                        last_import_job_id: string | null;
                        /**
                         * Format: date-time
                         * @description When it was made.
                         */
                        created_at: string;
                    };
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
                /** @description Identifier of the scheduled import. */
                sync_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It runs no more; what it brought stays. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "deleted",
                     *       "id": "019a0b1c2d3e7f008000000000000041"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `deleted`.
                         * @enum {string}
                         */
                        status: "deleted";
                        /** @description Identifier of the scheduled import that was. */
                        id: string;
                    };
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
                /** @description Identifier of the scheduled import. */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the scheduled import. */
                        id: string;
                        /** @description The integration that it uses. */
                        integration_id: string;
                        /** @description What it brings begins with this. */
                        prefix: string;
                        /** @description Patterns, one of which must fit. */
                        include: string[];
                        /** @description Patterns, none of which may fit. */
                        exclude: string[];
                        /** @description Folder that the videos go to. */
                        folder_id: string | null;
                        /**
                         * @description Who sees the videos: `user`, you alone; `org`, the organisation. Without it: as the folder, else `user`.
                         * @enum {string}
                         */
                        scope: "user" | "org";
                        /** @description Whether what was measured beside a video comes with it: an object of the same name with the ending `.json`, `.csv` or `.srt`. Default false. */
                        sidecars: boolean;
                        /** @description How often the bucket is looked at, in minutes. */
                        every_minutes: number;
                        /** @description When it is due, ISO 8601, UTC; null: it has stopped. */
                        next_run_at: string | null;
                        /** @description Code of why it has stopped: whoever made it left, or may not use the integration or folder any more. */
                        error: string | null;
                        /** @description The same in a sentence. */
                        message: string | null;
                        /** @description Its last run; a run that brought nothing new is not kept. */
                        last_import_job_id: string | null;
                        /**
                         * Format: date-time
                         * @description When it was made.
                         */
                        created_at: string;
                    };
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
    listInvitations: {
        parameters: {
            query?: {
                /** @description Most of one page; default 100. */
                limit?: number;
                /** @description The `next_cursor` of the page before. */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Open ones, newest first. */
                        invitations: {
                            /** @description Identifier of the invitation. */
                            invitation_id: string;
                            /** @description Who is invited. */
                            email: string;
                            /**
                             * @description `member`: reads and writes; `admin`: manages keys and members, too; `owner`: manages owners and admins, too.
                             * @enum {string}
                             */
                            role: "owner" | "admin" | "member";
                            /** @description The user who invited; null: the operator. */
                            invited_by: string | null;
                            /**
                             * Format: date-time
                             * @description When, ISO 8601, UTC.
                             */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description When its link ends, ISO 8601, UTC.
                             */
                            expires_at: string;
                        }[];
                        /** @description Whether there are older ones. */
                        has_more: boolean;
                        /** @description Give it as `cursor` to get them. */
                        next_cursor: string | null;
                    };
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
        /** @description Whom to invite. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "grace@example.com",
                 *       "role": "member",
                 *       "expires_in_days": 7
                 *     }
                 */
                "application/json": {
                    /** @description E-mail address. */
                    email: string;
                    /**
                     * @description `member`: reads and writes; `admin`: manages keys and members, too; `owner`: manages owners and admins, too.
                     * @enum {string}
                     */
                    role: "owner" | "admin" | "member";
                    /** @description Days until the link ends; default 7. */
                    expires_in_days?: number | null;
                };
            };
        };
        responses: {
            /** @description The invitation. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description The link to hand over, shown this once. It works once. */
                        url: string;
                        /** @description Identifier of the invitation. */
                        invitation_id: string;
                        /** @description Who is invited. */
                        email: string;
                        /**
                         * @description `member`: reads and writes; `admin`: manages keys and members, too; `owner`: manages owners and admins, too.
                         * @enum {string}
                         */
                        role: "owner" | "admin" | "member";
                        /** @description The user who invited; null: the operator. */
                        invited_by: string | null;
                        /**
                         * Format: date-time
                         * @description When, ISO 8601, UTC.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When its link ends, ISO 8601, UTC.
                         */
                        expires_at: string;
                    };
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
                /** @description The invitation. */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "invitation_id": "019a0b1c2d3e7f008000000000000008"
                     *     }
                     */
                    "application/json": {
                        /** @description Its link works no more. */
                        invitation_id: string;
                    };
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
                /** @description Most keys of one page; default 100. */
                limit?: number;
                /** @description The `next_cursor` of the page before. */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Newest first. */
                        keys: {
                            /** @description Identifier of the key. */
                            key_id: string;
                            /** @description What a person calls it. */
                            name: string;
                            /** @description The first 8 characters of the key. */
                            prefix: string;
                            /** @description What it may do. */
                            scopes: ("read" | "write" | "admin")[];
                            /** @description The user it belongs to. */
                            user_id: string;
                            /** @description The user's e-mail address. */
                            email: string;
                            /**
                             * Format: date-time
                             * @description When it was made, ISO 8601, UTC.
                             */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description When it ends, ISO 8601, UTC.
                             */
                            expires_at: string;
                            /** @description Its last use, exact to a minute; null while unused. */
                            last_used_at: string | null;
                            /** @description When it was revoked; null: it was not. */
                            revoked_at: string | null;
                            /** @description The only folder that the key reaches; null: the key has no such limit. */
                            folder_id: string | null;
                            /**
                             * @description `inactive` is expired or revoked.
                             * @enum {string}
                             */
                            status: "active" | "inactive";
                        }[];
                        /** @description Whether there are older ones. */
                        has_more: boolean;
                        /** @description Give it as `cursor` to get them. */
                        next_cursor: string | null;
                    };
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
        /** @description A key to make. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "robot",
                 *       "scopes": [
                 *         "read",
                 *         "write"
                 *       ],
                 *       "expires_in_days": 90
                 *     }
                 */
                "application/json": {
                    /** @description What a person calls it. */
                    name: string;
                    /** @description What it may do; default `read` and `write`. */
                    scopes?: ("read" | "write" | "admin")[] | null;
                    /** @description Days until it expires; default 90, at most what the operator allows (`SIGHTLINE_MAX_KEY_DAYS`). */
                    expires_in_days?: number | null;
                    /** @description Limits the key to this folder: it sees and touches the videos in it, their analyses, uploads and playback, and nothing else. Not for keys with the scope `admin`. */
                    folder_id?: string | null;
                };
            };
        };
        responses: {
            /** @description The new key. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description The full value, shown this once. */
                        key: string;
                        /** @description Identifier of the key. */
                        key_id: string;
                        /** @description What a person calls it. */
                        name: string;
                        /** @description The first 8 characters of the key. */
                        prefix: string;
                        /** @description What it may do. */
                        scopes: ("read" | "write" | "admin")[];
                        /** @description The user it belongs to. */
                        user_id: string;
                        /** @description The user's e-mail address. */
                        email: string;
                        /**
                         * Format: date-time
                         * @description When it was made, ISO 8601, UTC.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When it ends, ISO 8601, UTC.
                         */
                        expires_at: string;
                        /** @description Its last use, exact to a minute; null while unused. */
                        last_used_at: string | null;
                        /** @description When it was revoked; null: it was not. */
                        revoked_at: string | null;
                        /** @description The only folder that the key reaches; null: the key has no such limit. */
                        folder_id: string | null;
                        /**
                         * @description `inactive` is expired or revoked.
                         * @enum {string}
                         */
                        status: "active" | "inactive";
                    };
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
            /** @description Whose key it is and what it may do. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /**
                         * @description Always true: a key that is not valid gets 401 or 403.
                         * @enum {boolean}
                         */
                        valid: true;
                        /** @description The user the key belongs to. */
                        user_id: string;
                        /** @description The same as `user_id`. */
                        uid: string;
                        /** @description The user's e-mail address. */
                        email: string;
                        /** @description The user's organisation. */
                        org_id: string;
                        /** @description The key itself, as lists of keys show it; null in a session. */
                        key_id: string | null;
                        /** @description The scopes the key was made with. */
                        scope: ("read" | "write" | "admin")[];
                        /** @description What the key may do: `admin` includes `read` and `write`. */
                        permissions: ("read" | "write" | "admin")[];
                        /**
                         * Format: date-time
                         * @description When the key or session ends, ISO 8601, UTC.
                         */
                        expires_at: string;
                        /** @description The only folder that the key reaches; null: the key has no such limit. */
                        folder_id: string | null;
                    };
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
                /** @description The key: its id, or its first 8 characters. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A key as lists show it: never its value. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the key. */
                        key_id: string;
                        /** @description What a person calls it. */
                        name: string;
                        /** @description The first 8 characters of the key. */
                        prefix: string;
                        /** @description What it may do. */
                        scopes: ("read" | "write" | "admin")[];
                        /** @description The user it belongs to. */
                        user_id: string;
                        /** @description The user's e-mail address. */
                        email: string;
                        /**
                         * Format: date-time
                         * @description When it was made, ISO 8601, UTC.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When it ends, ISO 8601, UTC.
                         */
                        expires_at: string;
                        /** @description Its last use, exact to a minute; null while unused. */
                        last_used_at: string | null;
                        /** @description When it was revoked; null: it was not. */
                        revoked_at: string | null;
                        /** @description The only folder that the key reaches; null: the key has no such limit. */
                        folder_id: string | null;
                        /**
                         * @description `inactive` is expired or revoked.
                         * @enum {string}
                         */
                        status: "active" | "inactive";
                    };
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
        /** @description A stream and its name. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "stream_id": "gate-4",
                 *       "stream_name": "Gate 4",
                 *       "source_url": "rtsp://camera.example/stream1"
                 *     }
                 */
                "application/x-www-form-urlencoded": {
                    stream_id: string;
                    /** @description Name, for display. */
                    stream_name: string;
                    /** @description Where the stream is: HLS, MJPEG or a growing file by `http` or `https`, or `rtsp`, `rtsps`, `rtmp`, `rtmps`, `srt`. User and password may stand in it; they are kept sealed and never told. */
                    source_url: string;
                    /** @description Recordings of the stream, those of its owner and those that the organisation shares, are deleted this many days after they ended. Without it they stay. Only the owner of a stream, who used it first, or an admin changes it. */
                    retention_days?: (number | string) | null;
                };
                /**
                 * @example {
                 *       "stream_id": "gate-4",
                 *       "stream_name": "Gate 4",
                 *       "source_url": "rtsp://camera.example/stream1"
                 *     }
                 */
                "application/json": {
                    stream_id: string;
                    /** @description Name, for display. */
                    stream_name: string;
                    /** @description Where the stream is: HLS, MJPEG or a growing file by `http` or `https`, or `rtsp`, `rtsps`, `rtmp`, `rtmps`, `srt`. User and password may stand in it; they are kept sealed and never told. */
                    source_url: string;
                    /** @description Recordings of the stream, those of its owner and those that the organisation shares, are deleted this many days after they ended. Without it they stay. Only the owner of a stream, who used it first, or an admin changes it. */
                    retention_days?: (number | string) | null;
                };
            };
        };
        responses: {
            /** @description The stream is known. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": {
                        /** @description True. */
                        ok: boolean;
                    };
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
                /**
                 * @example {
                 *       "stream_id": "gate-4",
                 *       "session_id": "019a0b1c2d3e7f008000000000000070"
                 *     }
                 */
                "application/x-www-form-urlencoded": {
                    /** @description The stream. */
                    stream_id: string;
                    /** @description Identifier of the session. */
                    session_id: string;
                };
                /**
                 * @example {
                 *       "stream_id": "gate-4",
                 *       "session_id": "019a0b1c2d3e7f008000000000000070"
                 *     }
                 */
                "application/json": {
                    /** @description The stream. */
                    stream_id: string;
                    /** @description Identifier of the session. */
                    session_id: string;
                };
            };
        };
        responses: {
            /** @description The session ends, or has. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ended"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description `ended`: it ends now; `already_ended`: it had been ended, or had ended by itself.
                         * @enum {string}
                         */
                        status: "ended" | "already_ended";
                    };
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
                /** @description `personal`: your own; `org`: those that the organisation shares. Without it all that you may see. */
                scope?: "personal" | "org";
                /** @description Only those of this stream. */
                stream_id?: string;
                /** @description How many at most; 100 without it. */
                limit?: number;
                /** @description The `next_cursor` of the page before. */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Newest first. */
                        sessions: ({
                            /** @description Identifier of the session. */
                            session_id: string;
                            /** @description The stream that it belongs to. */
                            stream_id: string;
                            /** @description Name, for display. */
                            name: string;
                            /** @description Its source, without user, password and what else opens it. */
                            source_url: string;
                            /**
                             * @description `INITIALIZING` until the first chunk is there, then `ACTIVE`; `ENDING` while the recording is put together; at the end `FINISHED`, or `FAILED` where nothing was recorded.
                             * @enum {string}
                             */
                            status: "INITIALIZING" | "ACTIVE" | "ENDING" | "FINISHED" | "FAILED";
                            /** @description `user` or `org`: who sees it. */
                            scope: string;
                            /** @description The folder that its recording goes into. */
                            folder_id: string | null;
                            /** @description The user who started it. */
                            created_by: string;
                            /** @description That user's name. */
                            created_by_display_name: string;
                            /**
                             * Format: date-time
                             * @description When it was started, ISO 8601, UTC.
                             */
                            created_at: string;
                            /** @description When its first picture was taken. */
                            started_at: string | null;
                            /** @description When it ended. */
                            ended_at: string | null;
                            /** @description Code of why it failed, or ended before it was asked to. */
                            error: string | null;
                            /** @description The same in a sentence. */
                            message: string | null;
                            /** @description What is looked for while it goes on. */
                            rapid_review_query: string | null;
                            /** @description Whether pictures are coming now. */
                            connected: boolean;
                            /** @description Chunks that are recorded. */
                            chunk_count: number;
                            /** @description Events so far. */
                            event_count: number;
                            /** @description What is recorded, in seconds. */
                            duration_s: number;
                            /** @description What is recorded, in bytes. */
                            size_bytes: number;
                            /** @description The video that the recording becomes; there once the session has ended. */
                            video_id: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description Whether more follow. */
                        has_more: boolean;
                        /** @description Give it as `cursor` to get them. */
                        next_cursor: string | null;
                    };
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
                /** @description The stream. */
                stream_id: string;
                /** @description Identifier of the session. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A live session. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the session. */
                        session_id: string;
                        /** @description The stream that it belongs to. */
                        stream_id: string;
                        /** @description Name, for display. */
                        name: string;
                        /** @description Its source, without user, password and what else opens it. */
                        source_url: string;
                        /**
                         * @description `INITIALIZING` until the first chunk is there, then `ACTIVE`; `ENDING` while the recording is put together; at the end `FINISHED`, or `FAILED` where nothing was recorded.
                         * @enum {string}
                         */
                        status: "INITIALIZING" | "ACTIVE" | "ENDING" | "FINISHED" | "FAILED";
                        /** @description `user` or `org`: who sees it. */
                        scope: string;
                        /** @description The folder that its recording goes into. */
                        folder_id: string | null;
                        /** @description The user who started it. */
                        created_by: string;
                        /** @description That user's name. */
                        created_by_display_name: string;
                        /**
                         * Format: date-time
                         * @description When it was started, ISO 8601, UTC.
                         */
                        created_at: string;
                        /** @description When its first picture was taken. */
                        started_at: string | null;
                        /** @description When it ended. */
                        ended_at: string | null;
                        /** @description Code of why it failed, or ended before it was asked to. */
                        error: string | null;
                        /** @description The same in a sentence. */
                        message: string | null;
                        /** @description What is looked for while it goes on. */
                        rapid_review_query: string | null;
                        /** @description Whether pictures are coming now. */
                        connected: boolean;
                        /** @description Chunks that are recorded. */
                        chunk_count: number;
                        /** @description Events so far. */
                        event_count: number;
                        /** @description What is recorded, in seconds. */
                        duration_s: number;
                        /** @description What is recorded, in bytes. */
                        size_bytes: number;
                        /** @description The video that the recording becomes; there once the session has ended. */
                        video_id: string;
                        /** @description The recordings: one, unless the pictures changed their codec or size on the way. */
                        video_ids: string[];
                        /** @description The last 100 chunks, in their order. */
                        chunks: ({
                            /** @description Identifier of the chunk. */
                            chunk_id: string;
                            /** @description Its number, from 0 on. */
                            chunk_index: number;
                            /** @description When it begins, in seconds from the first picture of the session; gaps count. */
                            stream_time: number;
                            /** @description Where it begins in the recording, in seconds; gaps do not count. */
                            hls_cumulative_offset: number;
                            /** @description How long it is, in seconds. */
                            duration_s: number;
                            /**
                             * Format: date-time
                             * @description When its first picture was taken: as the source says, else when it came.
                             */
                            capture_time: string;
                            /** @description Its size. */
                            size_bytes: number;
                            /** @description Whether something is missing, or changed, before it. */
                            discontinuity: boolean;
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description What is missing. */
                        gaps: {
                            /** @description The chunk after it; of a gap at the end of the session, the number of its chunks. */
                            chunk_index: number;
                            /**
                             * Format: date-time
                             * @description When the pictures ended.
                             */
                            from: string;
                            /**
                             * Format: date-time
                             * @description When they came again.
                             */
                            until: string;
                            /** @description Why nothing was recorded. */
                            reason: string;
                        }[];
                        /** @description What was found, in the order in which it was: only ever added to. Each has `event_id`, `chunk_index`, `stream_time`, `capture_time`, `t_start`, `t_end`, `type`, `label`, `description`, `severity`, `confidence`, `ongoing` (it has not ended as far as is known; `t_end` is how far it has come), `cut_start` and `cut_end` (the analysis skipped what came before or after it, so it may be longer), `chunk_relative_time`, and `evidence` with signed URLs of its pictures. */
                        events: {
                            [key: string]: unknown;
                        }[];
                        /** @description How what was asked for is looked for. */
                        analysis: ({
                            /**
                             * @description `waiting`: nothing was looked at yet; `ended`: nothing more comes.
                             * @enum {string}
                             */
                            state: "waiting" | "running" | "ended";
                            /** @description How far the stream was looked at, in seconds from its first picture. */
                            analysed_s: number;
                            /** @description How much is recorded and was not looked at then, in seconds. */
                            behind_s: number;
                            /**
                             * @description How closely it is looked at, as the machine allows. Every frame of what the picture as a whole does, and of things five pictures a second (`full`), two (`reduced`), one (`sparse`), or none (`pictures`).
                             * @enum {string}
                             */
                            sampling: "full" | "reduced" | "sparse" | "pictures";
                            /** @description How much was skipped to keep up and not caught up on yet, or could not be decoded. */
                            skipped_s: number;
                            /** @description What was skipped, in order of time. Ranges that are caught up on leave the list. */
                            skipped: ({
                                /** @description Where it begins, in seconds from the first picture of the session. */
                                from_s: number;
                                /** @description Where it ends. */
                                until_s: number;
                                /** @description Why it was skipped, and whether it is still to be analysed. */
                                reason: string;
                            } & {
                                [key: string]: unknown;
                            })[];
                            /** @description What is looked for and what is not, and why, as in analyses, over the whole session: `findings` counts all its events, `from_s`, `until_s` and `analysed_s` are where and how long it was looked for, and `intervals` has each range with its `status`, `by` and `reason`, skipped ranges too. */
                            coverage: {
                                [key: string]: unknown;
                            }[];
                        } & {
                            [key: string]: unknown;
                        }) | null;
                    } & {
                        [key: string]: unknown;
                    };
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
                /** @description The signature, as it stands in the URL. */
                token: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the session. */
                session_id: string;
                /** @description `<event>-<number>.jpg`, as the URL in the event names it. */
                picture: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A frame of an event’s evidence with its boxes, drawn when it is first fetched. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
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
                /** @description The signature, as it stands in the URL. */
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
            /** @description The multivariant playlist, which names the stream. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
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
                /** @description The signature, as it stands in the URL. */
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
            /** @description The media playlist: the last minutes while the session goes on, all of it afterwards. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
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
                /** @description The signature, as it stands in the URL. */
                token: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the session. */
                session_id: string;
                /** @description `init-<number>.mp4`, or `<number>.m4s`, as the playlist names it. */
                part: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the playlist names: an initialisation section or a segment. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
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
                /** @description Id of the last event that was received; 0 for all. A `Last-Event-ID` header counts as well. */
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
        /** @description What to look for from now on. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "rapid_review_query": "a person near the gate",
                 *       "mode": "add"
                 *     }
                 */
                "application/x-www-form-urlencoded": {
                    /** @description What to look for. */
                    rapid_review_query: string;
                    /** @description `replace` (the default): this instead of what was looked for; `add`: this besides. */
                    mode?: ("replace" | "add" | "") | null;
                };
                /**
                 * @example {
                 *       "rapid_review_query": "a person near the gate",
                 *       "mode": "add"
                 *     }
                 */
                "application/json": {
                    /** @description What to look for. */
                    rapid_review_query: string;
                    /** @description `replace` (the default): this instead of what was looked for; `add`: this besides. */
                    mode?: ("replace" | "add" | "") | null;
                };
            };
        };
        responses: {
            /** @description It is looked for from the next chunk on. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "session_id": "019a0b1c2d3e7f008000000000000070",
                     *       "rapid_review_query": "a truck stops in front of the gate\na person near the gate",
                     *       "searches": [
                     *         "truck stops in front of gate",
                     *         "person near gate"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Identifier of the session. */
                        session_id: string;
                        /** @description All that is looked for now. */
                        rapid_review_query: string;
                        /** @description Its parts: each is looked for on its own. */
                        searches: string[];
                    };
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
                /** @description For how many seconds the URL leads to the manifest, 60 to 3600; 900 without it. */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://video.example/api/live/media/019a0b1c2d3e7f008000000000000070/index.m3u8?token=sx1k2a.Zm9v",
                     *       "expires_at": "2026-11-21T09:45:00.000Z",
                     *       "method": "GET"
                     *     }
                     */
                    "application/json": {
                        /** @description Short-lived signed URL of the HLS manifest; needs no key. */
                        url: string;
                        /**
                         * Format: date-time
                         * @description Until when it can be fetched. Who has begun to play by then plays on.
                         */
                        expires_at: string;
                        /**
                         * @description GET.
                         * @enum {string}
                         */
                        method: "GET";
                    };
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
        /** @description A source to follow. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source_url": "rtsp://camera.example/stream1",
                 *       "name": "Gate 4",
                 *       "stream_id": "gate-4",
                 *       "rapid_review_query": "a truck stops in front of the gate"
                 *     }
                 */
                "application/x-www-form-urlencoded": {
                    /** @description Where the stream is: HLS, MJPEG or a growing file by `http` or `https`, or `rtsp`, `rtsps`, `rtmp`, `rtmps`, `srt`. User and password may stand in it; they are kept sealed and never told. */
                    source_url: string;
                    /** @description Name, for display. */
                    name: string;
                    /** @description The stream that the session belongs to; the same one groups sessions. Without it one is made. */
                    stream_id?: (string | "") | null;
                    /** @description What to look for while the session goes on. */
                    rapid_review_query?: string | null;
                    /** @description The folder that the recording goes into. */
                    folder_id?: string | null;
                    /** @description `user` (the default): you see the session and its recording; `org`: everyone in the organisation does. In a folder it is the folder’s. */
                    scope?: ("user" | "org" | "") | null;
                    /** @description Recordings of the stream, those of its owner and those that the organisation shares, are deleted this many days after they ended. Without it they stay. Only the owner of a stream, who used it first, or an admin changes it. */
                    retention_days?: (number | string) | null;
                };
                /**
                 * @example {
                 *       "source_url": "rtsp://camera.example/stream1",
                 *       "name": "Gate 4",
                 *       "stream_id": "gate-4",
                 *       "rapid_review_query": "a truck stops in front of the gate"
                 *     }
                 */
                "application/json": {
                    /** @description Where the stream is: HLS, MJPEG or a growing file by `http` or `https`, or `rtsp`, `rtsps`, `rtmp`, `rtmps`, `srt`. User and password may stand in it; they are kept sealed and never told. */
                    source_url: string;
                    /** @description Name, for display. */
                    name: string;
                    /** @description The stream that the session belongs to; the same one groups sessions. Without it one is made. */
                    stream_id?: (string | "") | null;
                    /** @description What to look for while the session goes on. */
                    rapid_review_query?: string | null;
                    /** @description The folder that the recording goes into. */
                    folder_id?: string | null;
                    /** @description `user` (the default): you see the session and its recording; `org`: everyone in the organisation does. In a folder it is the folder’s. */
                    scope?: ("user" | "org" | "") | null;
                    /** @description Recordings of the stream, those of its owner and those that the organisation shares, are deleted this many days after they ended. Without it they stay. Only the owner of a stream, who used it first, or an admin changes it. */
                    retention_days?: (number | string) | null;
                };
            };
        };
        responses: {
            /** @description The session has begun. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "session_id": "019a0b1c2d3e7f008000000000000070",
                     *       "stream_id": "gate-4",
                     *       "status": "INITIALIZING",
                     *       "name": "Gate 4",
                     *       "video_id": "019a0b1c2d3e7f008000000000000071"
                     *     }
                     */
                    "application/json": {
                        /** @description Identifier of the session. */
                        session_id: string;
                        /** @description The stream that it belongs to. */
                        stream_id: string;
                        /**
                         * @description `INITIALIZING` until the first chunk is there, then `ACTIVE`; `ENDING` while the recording is put together; at the end `FINISHED`, or `FAILED` where nothing was recorded.
                         * @enum {string}
                         */
                        status: "INITIALIZING" | "ACTIVE" | "ENDING" | "FINISHED" | "FAILED";
                        /** @description Name, for display. */
                        name: string;
                        /** @description The video that the recording becomes. */
                        video_id: string;
                    };
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
                /**
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
                "application/json": {
                    /** @description A saved integration of any type; its credentials read the objects. */
                    integration_id: string;
                    /** @description The recordings, 1 to 100; each becomes an ingest of its own. */
                    files: {
                        /** @description Key of the object in the bucket. */
                        key: string;
                        /** @description What to call it; default: the last part of the key. */
                        filename?: string | null;
                    }[];
                    /** @description Whether files that were imported already, in the same version, are imported again. Default false. */
                    force?: boolean | null;
                    /** @description The folder that the videos go into. */
                    folder_id?: string | null;
                    /** @description `user` (the default): you see the videos; `org`: everyone in the organisation does. In a folder it is the folder’s. */
                    scope?: ("user" | "org") | null;
                    /** @description Length in seconds into which long recordings are cut, 10 to 86400: each channel becomes one video per stretch of that length. Coded video is cut at keyframes. Without it each channel is one video. */
                    chunk_size?: number | null;
                };
            };
        };
        responses: {
            /** @description How an import of recordings stands. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the import job. */
                        mcap_import_job_id: string;
                        /** @description `transferring` while a file is on its way, `processing` while videos are made; then `completed`, `partial` or `failed`. */
                        status: string;
                        /** @description What went wrong with which file, in a sentence. */
                        error: string | null;
                        /** @description How many files it has. */
                        total: number;
                        /** @description How many of them were imported already, and are not imported again. */
                        skipped: number;
                        /** @description Its files. */
                        ingests: ({
                            /** @description The ingest of this file: `/api/mcap/{ingest_id}`. */
                            mcap_ingest_id: string;
                            /** @description What it is called. */
                            filename: string;
                            /** @description Its key in the bucket. */
                            key: string;
                            /** @description `created` (waits for its file), `transferring`, `uploaded` (waits for process), `processing`; then `completed`, `partial` (something could not be read: `error` and `recording.lost` say what) or `failed`. */
                            status: string;
                            /** @description `already imported`: this is the ingest of an earlier import of the same object. Null otherwise. */
                            skipped: "already imported" | null;
                            /** @description What went wrong with it. */
                            error: string | null;
                            /** @description Its videos that are there. */
                            video_ids: string[];
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description All videos that are there. */
                        video_ids: string[];
                        /**
                         * Format: date-time
                         * @description When it was asked for, ISO 8601, UTC.
                         */
                        created_at: string;
                    } & {
                        [key: string]: unknown;
                    };
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
        /** @description A recording that is to be uploaded. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filename": "drive.mcap",
                 *       "size_bytes": 734003200,
                 *       "chunk_size": 600
                 *     }
                 */
                "application/json": {
                    /** @description Name of the file. */
                    filename: string;
                    /** @description Its exact size in bytes. */
                    size_bytes: number;
                    /** @description SHA-256 of the file in hex: what does not match is not kept. */
                    sha256?: string | null;
                    /** @description Accepted for existing clients and not used. */
                    content_type?: string | null;
                    /** @description The folder that the videos go into. */
                    folder_id?: string | null;
                    /** @description `user` (the default): you see the videos; `org`: everyone in the organisation does. In a folder it is the folder’s. */
                    scope?: ("user" | "org") | null;
                    /** @description Length in seconds into which long recordings are cut, 10 to 86400: each channel becomes one video per stretch of that length. Coded video is cut at keyframes. Without it each channel is one video. */
                    chunk_size?: number | null;
                };
            };
        };
        responses: {
            /** @description An ingest that waits for its file. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the ingest. */
                        mcap_ingest_id: string;
                        /** @description Where to PUT the bytes, in one request; needs no key and holds for a day. */
                        upload_url: string;
                        /** @description Headers to send with the PUT. */
                        upload_headers: {
                            [key: string]: string;
                        };
                        /** @description How the recording is called as the source of its videos. */
                        source_uri: string;
                        /** @description `created`. */
                        status: string;
                    } & {
                        [key: string]: unknown;
                    };
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
            /** @description How an import of recordings stands. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the import job. */
                        mcap_import_job_id: string;
                        /** @description `transferring` while a file is on its way, `processing` while videos are made; then `completed`, `partial` or `failed`. */
                        status: string;
                        /** @description What went wrong with which file, in a sentence. */
                        error: string | null;
                        /** @description How many files it has. */
                        total: number;
                        /** @description How many of them were imported already, and are not imported again. */
                        skipped: number;
                        /** @description Its files. */
                        ingests: ({
                            /** @description The ingest of this file: `/api/mcap/{ingest_id}`. */
                            mcap_ingest_id: string;
                            /** @description What it is called. */
                            filename: string;
                            /** @description Its key in the bucket. */
                            key: string;
                            /** @description `created` (waits for its file), `transferring`, `uploaded` (waits for process), `processing`; then `completed`, `partial` (something could not be read: `error` and `recording.lost` say what) or `failed`. */
                            status: string;
                            /** @description `already imported`: this is the ingest of an earlier import of the same object. Null otherwise. */
                            skipped: "already imported" | null;
                            /** @description What went wrong with it. */
                            error: string | null;
                            /** @description Its videos that are there. */
                            video_ids: string[];
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description All videos that are there. */
                        video_ids: string[];
                        /**
                         * Format: date-time
                         * @description When it was asked for, ISO 8601, UTC.
                         */
                        created_at: string;
                    } & {
                        [key: string]: unknown;
                    };
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
            /** @description How an ingest stands, and the views of the recording. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the ingest. */
                        mcap_ingest_id: string;
                        /** @description `created` (waits for its file), `transferring`, `uploaded` (waits for process), `processing`; then `completed`, `partial` (something could not be read: `error` and `recording.lost` say what) or `failed`. */
                        status: string;
                        /** @description What went wrong, in a sentence. */
                        error: string | null;
                        /** @description Its stable code. */
                        error_code: string | null;
                        /** @description Name of the file. */
                        filename: string;
                        /** @description Where the recording came from. */
                        source_uri: string;
                        /** @description Its size in bytes. */
                        size_bytes: number | null;
                        /** @description SHA-256 of the file. */
                        sha256: string | null;
                        /** @description The folder that its videos go into. */
                        folder_id: string | null;
                        /** @description `user` or `org`. */
                        scope: string;
                        /** @description Length of its stretches in seconds; null: it is not cut. */
                        chunk_size: number | null;
                        /** @description What became of each channel of pictures, and stretch. */
                        derived_videos: ({
                            /** @description The video; null where there is none. */
                            video_id: string | null;
                            /** @description Its channel: the topic, or `topic#id` where several channels have one topic. */
                            channel: string;
                            /** @description The same as `channel`, where existing clients read it. */
                            channel_name: string;
                            /** @description Role of the channel among the views. */
                            role: string | null;
                            /** @description What to show for it, where it was said. */
                            label: string | null;
                            /** @description Which stretch of the recording, from 0; always 0 without `chunk_size`. */
                            part: number;
                            /** @description `processing`, `completed`, `failed`, or `deleted`: it was made, and is not in the library any more. */
                            status: string;
                            /** @description Why there is no video, in a sentence. */
                            error: string | null;
                            /** @description When its first frame was taken, in seconds after the first frame of the primary view. */
                            offset_s: number | null;
                            /** @description The same as a date, ISO 8601, UTC, by the common clock; null where that tells no date. */
                            start_time: string | null;
                            /** @description From its first frame to its last, in seconds. */
                            duration_s: number | null;
                            /** @description Frames in it. */
                            frame_count: number | null;
                            /** @description How much faster the camera's clock ran than the recorder's, in millionths; null where that cannot be told. */
                            drift_ppm: number | null;
                            /** @description Stretches without frames: longer than half a second and three usual distances. */
                            gaps: {
                                /** @description Last frame before the gap, in seconds of the video. */
                                start_s: number;
                                /** @description First frame after it. */
                                end_s: number;
                            }[];
                            /** @description Whether its frames were encoded anew. */
                            reencoded: boolean | null;
                            /** @description What else is to be known, in sentences. */
                            notes: string[];
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description The views of the recording: role to video. Of a recording that was cut, those of its first stretch. */
                        views: {
                            [key: string]: string;
                        };
                        /** @description The video of the primary view. */
                        primary_view_id: string | null;
                        /** @description Those of `derived_videos` that are there. */
                        videos: ({
                            /** @description The video; null where there is none. */
                            video_id: string | null;
                            /** @description Its channel: the topic, or `topic#id` where several channels have one topic. */
                            channel: string;
                            /** @description The same as `channel`, where existing clients read it. */
                            channel_name: string;
                            /** @description Role of the channel among the views. */
                            role: string | null;
                            /** @description What to show for it, where it was said. */
                            label: string | null;
                            /** @description Which stretch of the recording, from 0; always 0 without `chunk_size`. */
                            part: number;
                            /** @description `processing`, `completed`, `failed`, or `deleted`: it was made, and is not in the library any more. */
                            status: string;
                            /** @description Why there is no video, in a sentence. */
                            error: string | null;
                            /** @description When its first frame was taken, in seconds after the first frame of the primary view. */
                            offset_s: number | null;
                            /** @description The same as a date, ISO 8601, UTC, by the common clock; null where that tells no date. */
                            start_time: string | null;
                            /** @description From its first frame to its last, in seconds. */
                            duration_s: number | null;
                            /** @description Frames in it. */
                            frame_count: number | null;
                            /** @description How much faster the camera's clock ran than the recorder's, in millionths; null where that cannot be told. */
                            drift_ppm: number | null;
                            /** @description Stretches without frames: longer than half a second and three usual distances. */
                            gaps: {
                                /** @description Last frame before the gap, in seconds of the video. */
                                start_s: number;
                                /** @description First frame after it. */
                                end_s: number;
                            }[];
                            /** @description Whether its frames were encoded anew. */
                            reencoded: boolean | null;
                            /** @description What else is to be known, in sentences. */
                            notes: string[];
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description Their ids. */
                        video_ids: string[];
                        /** @description Channel to its (first) video. */
                        videos_by_channel: {
                            [key: string]: string;
                        };
                        /** @description The views of the recording: role to video. Of a recording that was cut, those of its first stretch. */
                        videos_by_role: {
                            [key: string]: string;
                        };
                        /** @description The same as `primary_view_id`. */
                        primary_video_id: string | null;
                        /** @description The same as `primary_view_id`. */
                        video_id: string | null;
                        /** @description What the recording holds; null until it was looked into. */
                        recording: {
                            /** @description When its first message was recorded, ISO 8601, UTC, by the recorder's clock. */
                            start_time: string | null;
                            /** @description From its first message to its last, in seconds. */
                            duration_s: number | null;
                            /** @description Whether it has an index that could be used. */
                            indexed: boolean;
                            /** @description All channels. */
                            channels: {
                                /** @description Topic, or `topic#id` where several channels have one topic. */
                                name: string;
                                /** @description Its topic. */
                                topic: string;
                                /** @description Type of its messages. */
                                schema: string;
                                /** @description How many it has, where that is known. */
                                messages: number | null;
                                /** @description Whether its messages are pictures. */
                                pictures: boolean;
                            }[];
                            /** @description What was measured (`speedMps`, …), and by which channel. Prompts on the videos can ask for it. */
                            telemetry: {
                                [key: string]: string;
                            };
                            /** @description Limits of the telemetry. */
                            notes: string[];
                            /** @description Stretches of the file that could not be read. */
                            lost: {
                                /** @description Whose messages; null: of all channels. */
                                channel: string | null;
                                /** @description From when, in seconds after the first message; null: from the start. */
                                from_s: number | null;
                                /** @description Until when; null: to the end. */
                                until_s: number | null;
                                /** @description Why. */
                                reason: string;
                            }[];
                        } | null;
                        /**
                         * Format: date-time
                         * @description When the ingest was created, ISO 8601, UTC.
                         */
                        created_at: string;
                        /** @description When it ended, ISO 8601, UTC. */
                        completed_at: string | null;
                    } & {
                        [key: string]: unknown;
                    };
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
                /** @description The signature, as it stands in `upload_url`. */
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
            /** @description The file is here. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "mcap_ingest_id": "019a0b1c2d3e7f008000000000000060",
                     *       "status": "uploaded"
                     *     }
                     */
                    "application/json": {
                        /** @description Identifier of the ingest. */
                        mcap_ingest_id: string;
                        /** @description `uploaded`. */
                        status: string;
                    };
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
        /** @description All fields are optional; no body at all is fine. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "front_channel": "/camera/front",
                 *       "channel_roles": {
                 *         "/camera/1": "rear"
                 *       },
                 *       "channel_labels": {}
                 *     }
                 */
                "application/json": {
                    /** @description The channel that is the front view, the primary one. */
                    front_channel?: string | null;
                    /** @description Role of each channel by its name: `front`, `rear`, `left`, `right`, `top`, `bottom`, or any word of your own; each once. Channels that are not named get what their topic suggests. */
                    channel_roles?: {
                        [key: string]: string;
                    } | null;
                    /** @description What to show for a channel, by its name. Labels of channels that are left out stay; an empty one removes it. */
                    channel_labels?: {
                        [key: string]: string;
                    } | null;
                };
            };
        };
        responses: {
            /** @description How an ingest stands, and the views of the recording. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the ingest. */
                        mcap_ingest_id: string;
                        /** @description `created` (waits for its file), `transferring`, `uploaded` (waits for process), `processing`; then `completed`, `partial` (something could not be read: `error` and `recording.lost` say what) or `failed`. */
                        status: string;
                        /** @description What went wrong, in a sentence. */
                        error: string | null;
                        /** @description Its stable code. */
                        error_code: string | null;
                        /** @description Name of the file. */
                        filename: string;
                        /** @description Where the recording came from. */
                        source_uri: string;
                        /** @description Its size in bytes. */
                        size_bytes: number | null;
                        /** @description SHA-256 of the file. */
                        sha256: string | null;
                        /** @description The folder that its videos go into. */
                        folder_id: string | null;
                        /** @description `user` or `org`. */
                        scope: string;
                        /** @description Length of its stretches in seconds; null: it is not cut. */
                        chunk_size: number | null;
                        /** @description What became of each channel of pictures, and stretch. */
                        derived_videos: ({
                            /** @description The video; null where there is none. */
                            video_id: string | null;
                            /** @description Its channel: the topic, or `topic#id` where several channels have one topic. */
                            channel: string;
                            /** @description The same as `channel`, where existing clients read it. */
                            channel_name: string;
                            /** @description Role of the channel among the views. */
                            role: string | null;
                            /** @description What to show for it, where it was said. */
                            label: string | null;
                            /** @description Which stretch of the recording, from 0; always 0 without `chunk_size`. */
                            part: number;
                            /** @description `processing`, `completed`, `failed`, or `deleted`: it was made, and is not in the library any more. */
                            status: string;
                            /** @description Why there is no video, in a sentence. */
                            error: string | null;
                            /** @description When its first frame was taken, in seconds after the first frame of the primary view. */
                            offset_s: number | null;
                            /** @description The same as a date, ISO 8601, UTC, by the common clock; null where that tells no date. */
                            start_time: string | null;
                            /** @description From its first frame to its last, in seconds. */
                            duration_s: number | null;
                            /** @description Frames in it. */
                            frame_count: number | null;
                            /** @description How much faster the camera's clock ran than the recorder's, in millionths; null where that cannot be told. */
                            drift_ppm: number | null;
                            /** @description Stretches without frames: longer than half a second and three usual distances. */
                            gaps: {
                                /** @description Last frame before the gap, in seconds of the video. */
                                start_s: number;
                                /** @description First frame after it. */
                                end_s: number;
                            }[];
                            /** @description Whether its frames were encoded anew. */
                            reencoded: boolean | null;
                            /** @description What else is to be known, in sentences. */
                            notes: string[];
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description The views of the recording: role to video. Of a recording that was cut, those of its first stretch. */
                        views: {
                            [key: string]: string;
                        };
                        /** @description The video of the primary view. */
                        primary_view_id: string | null;
                        /** @description Those of `derived_videos` that are there. */
                        videos: ({
                            /** @description The video; null where there is none. */
                            video_id: string | null;
                            /** @description Its channel: the topic, or `topic#id` where several channels have one topic. */
                            channel: string;
                            /** @description The same as `channel`, where existing clients read it. */
                            channel_name: string;
                            /** @description Role of the channel among the views. */
                            role: string | null;
                            /** @description What to show for it, where it was said. */
                            label: string | null;
                            /** @description Which stretch of the recording, from 0; always 0 without `chunk_size`. */
                            part: number;
                            /** @description `processing`, `completed`, `failed`, or `deleted`: it was made, and is not in the library any more. */
                            status: string;
                            /** @description Why there is no video, in a sentence. */
                            error: string | null;
                            /** @description When its first frame was taken, in seconds after the first frame of the primary view. */
                            offset_s: number | null;
                            /** @description The same as a date, ISO 8601, UTC, by the common clock; null where that tells no date. */
                            start_time: string | null;
                            /** @description From its first frame to its last, in seconds. */
                            duration_s: number | null;
                            /** @description Frames in it. */
                            frame_count: number | null;
                            /** @description How much faster the camera's clock ran than the recorder's, in millionths; null where that cannot be told. */
                            drift_ppm: number | null;
                            /** @description Stretches without frames: longer than half a second and three usual distances. */
                            gaps: {
                                /** @description Last frame before the gap, in seconds of the video. */
                                start_s: number;
                                /** @description First frame after it. */
                                end_s: number;
                            }[];
                            /** @description Whether its frames were encoded anew. */
                            reencoded: boolean | null;
                            /** @description What else is to be known, in sentences. */
                            notes: string[];
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description Their ids. */
                        video_ids: string[];
                        /** @description Channel to its (first) video. */
                        videos_by_channel: {
                            [key: string]: string;
                        };
                        /** @description The views of the recording: role to video. Of a recording that was cut, those of its first stretch. */
                        videos_by_role: {
                            [key: string]: string;
                        };
                        /** @description The same as `primary_view_id`. */
                        primary_video_id: string | null;
                        /** @description The same as `primary_view_id`. */
                        video_id: string | null;
                        /** @description What the recording holds; null until it was looked into. */
                        recording: {
                            /** @description When its first message was recorded, ISO 8601, UTC, by the recorder's clock. */
                            start_time: string | null;
                            /** @description From its first message to its last, in seconds. */
                            duration_s: number | null;
                            /** @description Whether it has an index that could be used. */
                            indexed: boolean;
                            /** @description All channels. */
                            channels: {
                                /** @description Topic, or `topic#id` where several channels have one topic. */
                                name: string;
                                /** @description Its topic. */
                                topic: string;
                                /** @description Type of its messages. */
                                schema: string;
                                /** @description How many it has, where that is known. */
                                messages: number | null;
                                /** @description Whether its messages are pictures. */
                                pictures: boolean;
                            }[];
                            /** @description What was measured (`speedMps`, …), and by which channel. Prompts on the videos can ask for it. */
                            telemetry: {
                                [key: string]: string;
                            };
                            /** @description Limits of the telemetry. */
                            notes: string[];
                            /** @description Stretches of the file that could not be read. */
                            lost: {
                                /** @description Whose messages; null: of all channels. */
                                channel: string | null;
                                /** @description From when, in seconds after the first message; null: from the start. */
                                from_s: number | null;
                                /** @description Until when; null: to the end. */
                                until_s: number | null;
                                /** @description Why. */
                                reason: string;
                            }[];
                        } | null;
                        /**
                         * Format: date-time
                         * @description When the ingest was created, ISO 8601, UTC.
                         */
                        created_at: string;
                        /** @description When it ended, ISO 8601, UTC. */
                        completed_at: string | null;
                    } & {
                        [key: string]: unknown;
                    };
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
        /** @description All fields are optional; no body at all is fine. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "front_channel": "/camera/front",
                 *       "channel_roles": {
                 *         "/camera/1": "rear"
                 *       },
                 *       "channel_labels": {}
                 *     }
                 */
                "application/json": {
                    /** @description The channel that is the front view, the primary one. */
                    front_channel?: string | null;
                    /** @description Role of each channel by its name: `front`, `rear`, `left`, `right`, `top`, `bottom`, or any word of your own; each once. Channels that are not named get what their topic suggests. */
                    channel_roles?: {
                        [key: string]: string;
                    } | null;
                    /** @description What to show for a channel, by its name. Labels of channels that are left out stay; an empty one removes it. */
                    channel_labels?: {
                        [key: string]: string;
                    } | null;
                };
            };
        };
        responses: {
            /** @description How an ingest stands, and the views of the recording. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the ingest. */
                        mcap_ingest_id: string;
                        /** @description `created` (waits for its file), `transferring`, `uploaded` (waits for process), `processing`; then `completed`, `partial` (something could not be read: `error` and `recording.lost` say what) or `failed`. */
                        status: string;
                        /** @description What went wrong, in a sentence. */
                        error: string | null;
                        /** @description Its stable code. */
                        error_code: string | null;
                        /** @description Name of the file. */
                        filename: string;
                        /** @description Where the recording came from. */
                        source_uri: string;
                        /** @description Its size in bytes. */
                        size_bytes: number | null;
                        /** @description SHA-256 of the file. */
                        sha256: string | null;
                        /** @description The folder that its videos go into. */
                        folder_id: string | null;
                        /** @description `user` or `org`. */
                        scope: string;
                        /** @description Length of its stretches in seconds; null: it is not cut. */
                        chunk_size: number | null;
                        /** @description What became of each channel of pictures, and stretch. */
                        derived_videos: ({
                            /** @description The video; null where there is none. */
                            video_id: string | null;
                            /** @description Its channel: the topic, or `topic#id` where several channels have one topic. */
                            channel: string;
                            /** @description The same as `channel`, where existing clients read it. */
                            channel_name: string;
                            /** @description Role of the channel among the views. */
                            role: string | null;
                            /** @description What to show for it, where it was said. */
                            label: string | null;
                            /** @description Which stretch of the recording, from 0; always 0 without `chunk_size`. */
                            part: number;
                            /** @description `processing`, `completed`, `failed`, or `deleted`: it was made, and is not in the library any more. */
                            status: string;
                            /** @description Why there is no video, in a sentence. */
                            error: string | null;
                            /** @description When its first frame was taken, in seconds after the first frame of the primary view. */
                            offset_s: number | null;
                            /** @description The same as a date, ISO 8601, UTC, by the common clock; null where that tells no date. */
                            start_time: string | null;
                            /** @description From its first frame to its last, in seconds. */
                            duration_s: number | null;
                            /** @description Frames in it. */
                            frame_count: number | null;
                            /** @description How much faster the camera's clock ran than the recorder's, in millionths; null where that cannot be told. */
                            drift_ppm: number | null;
                            /** @description Stretches without frames: longer than half a second and three usual distances. */
                            gaps: {
                                /** @description Last frame before the gap, in seconds of the video. */
                                start_s: number;
                                /** @description First frame after it. */
                                end_s: number;
                            }[];
                            /** @description Whether its frames were encoded anew. */
                            reencoded: boolean | null;
                            /** @description What else is to be known, in sentences. */
                            notes: string[];
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description The views of the recording: role to video. Of a recording that was cut, those of its first stretch. */
                        views: {
                            [key: string]: string;
                        };
                        /** @description The video of the primary view. */
                        primary_view_id: string | null;
                        /** @description Those of `derived_videos` that are there. */
                        videos: ({
                            /** @description The video; null where there is none. */
                            video_id: string | null;
                            /** @description Its channel: the topic, or `topic#id` where several channels have one topic. */
                            channel: string;
                            /** @description The same as `channel`, where existing clients read it. */
                            channel_name: string;
                            /** @description Role of the channel among the views. */
                            role: string | null;
                            /** @description What to show for it, where it was said. */
                            label: string | null;
                            /** @description Which stretch of the recording, from 0; always 0 without `chunk_size`. */
                            part: number;
                            /** @description `processing`, `completed`, `failed`, or `deleted`: it was made, and is not in the library any more. */
                            status: string;
                            /** @description Why there is no video, in a sentence. */
                            error: string | null;
                            /** @description When its first frame was taken, in seconds after the first frame of the primary view. */
                            offset_s: number | null;
                            /** @description The same as a date, ISO 8601, UTC, by the common clock; null where that tells no date. */
                            start_time: string | null;
                            /** @description From its first frame to its last, in seconds. */
                            duration_s: number | null;
                            /** @description Frames in it. */
                            frame_count: number | null;
                            /** @description How much faster the camera's clock ran than the recorder's, in millionths; null where that cannot be told. */
                            drift_ppm: number | null;
                            /** @description Stretches without frames: longer than half a second and three usual distances. */
                            gaps: {
                                /** @description Last frame before the gap, in seconds of the video. */
                                start_s: number;
                                /** @description First frame after it. */
                                end_s: number;
                            }[];
                            /** @description Whether its frames were encoded anew. */
                            reencoded: boolean | null;
                            /** @description What else is to be known, in sentences. */
                            notes: string[];
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description Their ids. */
                        video_ids: string[];
                        /** @description Channel to its (first) video. */
                        videos_by_channel: {
                            [key: string]: string;
                        };
                        /** @description The views of the recording: role to video. Of a recording that was cut, those of its first stretch. */
                        videos_by_role: {
                            [key: string]: string;
                        };
                        /** @description The same as `primary_view_id`. */
                        primary_video_id: string | null;
                        /** @description The same as `primary_view_id`. */
                        video_id: string | null;
                        /** @description What the recording holds; null until it was looked into. */
                        recording: {
                            /** @description When its first message was recorded, ISO 8601, UTC, by the recorder's clock. */
                            start_time: string | null;
                            /** @description From its first message to its last, in seconds. */
                            duration_s: number | null;
                            /** @description Whether it has an index that could be used. */
                            indexed: boolean;
                            /** @description All channels. */
                            channels: {
                                /** @description Topic, or `topic#id` where several channels have one topic. */
                                name: string;
                                /** @description Its topic. */
                                topic: string;
                                /** @description Type of its messages. */
                                schema: string;
                                /** @description How many it has, where that is known. */
                                messages: number | null;
                                /** @description Whether its messages are pictures. */
                                pictures: boolean;
                            }[];
                            /** @description What was measured (`speedMps`, …), and by which channel. Prompts on the videos can ask for it. */
                            telemetry: {
                                [key: string]: string;
                            };
                            /** @description Limits of the telemetry. */
                            notes: string[];
                            /** @description Stretches of the file that could not be read. */
                            lost: {
                                /** @description Whose messages; null: of all channels. */
                                channel: string | null;
                                /** @description From when, in seconds after the first message; null: from the start. */
                                from_s: number | null;
                                /** @description Until when; null: to the end. */
                                until_s: number | null;
                                /** @description Why. */
                                reason: string;
                            }[];
                        } | null;
                        /**
                         * Format: date-time
                         * @description When the ingest was created, ISO 8601, UTC.
                         */
                        created_at: string;
                        /** @description When it ended, ISO 8601, UTC. */
                        completed_at: string | null;
                    } & {
                        [key: string]: unknown;
                    };
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
                /** @description The signature, as it stands in the signed URL. */
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
            /** @description The film itself. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
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
                /** @description The signature, as it stands in the signed URL. */
                token: string;
                /** @description As it stands in the signed URL, which is good for this clip only. */
                start: number;
                /** @description As it stands in the signed URL. */
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
            /** @description The stretch that the URL was given for, as MP4 (H.264, AAC), exact to the frame. The first request waits until it is cut. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
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
                /** @description The signature, as it stands in the signed URL. */
                token: string;
                /** @description Which frame: the one on screen this many seconds after the first. */
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
            /** @description The frame on screen at a time, in full size, as JPEG. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
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
                /** @description The signature, as it stands in the signed URL. */
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
            /** @description The playlist of the film as an HLS stream of fragmented MP4, copied from the film where browsers play its codec, encoded as H.264 elsewhere. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
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
                /** @description The signature, as it stands in the signed URL. */
                token: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the video. */
                video_id: string;
                /** @description As the playlist names it. */
                segment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the playlist names: `init.mp4` or a segment. The first request for a segment waits until it is made. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
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
                /** @description The signature, as it stands in the signed URL. */
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
                /** @description The signature, as it stands in the signed URL. */
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
            /** @description All thumbnails in one JPEG; the storyboard says where each is and which token to use. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
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
                /** @description The signature, as it stands in the signed URL. */
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
            /** @description WebVTT: for each stretch of the video a thumbnail, as an area of `storyboard.jpg`. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
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
                /** @description Most members of one page; default 100. */
                limit?: number;
                /** @description The `next_cursor` of the page before. */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description In the order they joined. */
                        members: {
                            /** @description Identifier of the user. */
                            user_id: string;
                            /** @description Their e-mail address. */
                            email: string;
                            /** @description What others call them. */
                            name: string;
                            /**
                             * @description `member`: reads and writes; `admin`: manages keys and members, too; `owner`: manages owners and admins, too.
                             * @enum {string}
                             */
                            role: "owner" | "admin" | "member";
                            /**
                             * Format: date-time
                             * @description When they joined, ISO 8601, UTC.
                             */
                            joined_at: string;
                            /** @description Whether they can sign in with a password. */
                            has_password: boolean;
                            /** @description Whether they can sign in by single sign-on. */
                            has_sso: boolean;
                        }[];
                        /** @description Whether there are more. */
                        has_more: boolean;
                        /** @description Give it as `cursor` to get them. */
                        next_cursor: string | null;
                    };
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
                /** @description The member. */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A member of the organisation. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the user. */
                        user_id: string;
                        /** @description Their e-mail address. */
                        email: string;
                        /** @description What others call them. */
                        name: string;
                        /**
                         * @description `member`: reads and writes; `admin`: manages keys and members, too; `owner`: manages owners and admins, too.
                         * @enum {string}
                         */
                        role: "owner" | "admin" | "member";
                        /**
                         * Format: date-time
                         * @description When they joined, ISO 8601, UTC.
                         */
                        joined_at: string;
                        /** @description Whether they can sign in with a password. */
                        has_password: boolean;
                        /** @description Whether they can sign in by single sign-on. */
                        has_sso: boolean;
                    };
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
                /** @description The member. */
                user_id: string;
            };
            cookie?: never;
        };
        /** @description What the member is from now on. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "admin"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description `member`: reads and writes; `admin`: manages keys and members, too; `owner`: manages owners and admins, too.
                     * @enum {string}
                     */
                    role: "owner" | "admin" | "member";
                };
            };
        };
        responses: {
            /** @description A member of the organisation. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the user. */
                        user_id: string;
                        /** @description Their e-mail address. */
                        email: string;
                        /** @description What others call them. */
                        name: string;
                        /**
                         * @description `member`: reads and writes; `admin`: manages keys and members, too; `owner`: manages owners and admins, too.
                         * @enum {string}
                         */
                        role: "owner" | "admin" | "member";
                        /**
                         * Format: date-time
                         * @description When they joined, ISO 8601, UTC.
                         */
                        joined_at: string;
                        /** @description Whether they can sign in with a password. */
                        has_password: boolean;
                        /** @description Whether they can sign in by single sign-on. */
                        has_sso: boolean;
                    };
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
        /** @description Videos of one happening. */
        requestBody: {
            content: {
                /**
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
                "application/json": {
                    /** @description The video of the primary view. */
                    primary_view_id: string;
                    /** @description Role to video, such as `front`, `rear`, `left`, `right`, `top`, `bottom`; each role and video once. */
                    views: {
                        [key: string]: string;
                    };
                    /** @description What to show for a view, by its role. A view that is left out keeps the label that its video had; an empty one or null removes it. */
                    labels?: {
                        [key: string]: string | null;
                    } | null;
                    /** @description When the first frame of a view was taken, in seconds after the first frame of the primary, by its role. Without it the creation times of the files say, and where they say nothing the views began together. */
                    offsets?: {
                        [key: string]: number;
                    } | null;
                };
            };
        };
        responses: {
            /** @description A set of views. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description The video of the primary view. */
                        primary_view_id: string;
                        /** @description Role to video. */
                        views: {
                            [key: string]: string;
                        };
                        /** @description The views, the primary first. */
                        details: {
                            /** @description Role of the view. */
                            role: string;
                            /** @description Its video. */
                            video_id: string;
                            /** @description What to show for it, where it was said. */
                            label: string | null;
                            /** @description When its first frame was taken, in seconds after the first frame of the primary. */
                            offset_s: number;
                        }[];
                    } & {
                        [key: string]: unknown;
                    };
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description The video of the primary view. */
                        primary_view_id: string;
                        /** @description Role to video. */
                        views: {
                            [key: string]: string;
                        };
                        /** @description The views, the primary first. */
                        details: {
                            /** @description Role of the view. */
                            role: string;
                            /** @description Its video. */
                            video_id: string;
                            /** @description What to show for it, where it was said. */
                            label: string | null;
                            /** @description When its first frame was taken, in seconds after the first frame of the primary. */
                            offset_s: number;
                        }[];
                    } & {
                        [key: string]: unknown;
                    };
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "unlinked",
                     *       "primary_view_id": "019a0b1c2d3e7f008000000000000061"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description The videos stay.
                         * @enum {string}
                         */
                        status: "unlinked";
                        /** @description Of the set that was. */
                        primary_view_id: string;
                    };
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
        /** @description A question to all views. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "a person crosses the street"
                 *     }
                 */
                "application/json": {
                    /** @description What to look for, in plain words. */
                    query: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description A query that was accepted. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "stream_id": "019a0b1c2d3e7f008000000000000080",
                     *       "batch_id": "019a0b1c2d3e7f008000000000000081",
                     *       "status": "processing",
                     *       "total": 2
                     *     }
                     */
                    "application/json": {
                        /** @description Where its events are: `/api/router/v2/query/events/{stream_id}`. */
                        stream_id: string;
                        /** @description The batch, with one analysis per view. Fuse it when it is done. */
                        batch_id: string;
                        /** @description `processing`. */
                        status: string;
                        /** @description How many views are asked. */
                        total: number;
                    } & {
                        [key: string]: unknown;
                    };
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
        /** @description All fields are optional; no body at all is fine. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "expires_in": 900
                 *     }
                 */
                "application/json": {
                    /** @description How long the URLs play, in seconds. */
                    expires_in?: number | null;
                    /** @description What the URLs lead to, as for a single video. */
                    kind?: ("film" | "hls" | "poster") | null;
                };
            };
        };
        responses: {
            /** @description What plays a set of views. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description The video of the primary view. */
                        primary_view_id: string;
                        /** @description The views, the primary first. Start each `offset_s` later than the primary to play them together. */
                        views: {
                            /** @description Role of the view. */
                            role: string;
                            /** @description Its video. */
                            video_id: string;
                            /** @description What to show for it, where it was said. */
                            label: string | null;
                            /** @description When its first frame was taken, in seconds after the first frame of the primary. */
                            offset_s: number;
                            /** @description Plays the view without a key until it expires. */
                            url: string;
                            /**
                             * Format: date-time
                             * @description When it stops playing, ISO 8601, UTC.
                             */
                            expires_at: string;
                        }[];
                    };
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
                /** @description Name of a folder. Without it: all videos that you see. A personal folder of this name comes first. */
                folder?: string;
                /** @description Only personal ones, only those of the organisation, or only samples (which are drawn when they are first asked for). Without it: personal ones and those of the organisation. */
                scope?: "user" | "org" | "sample";
                /** @description How many videos at most; 1,000 without it. `has_more` says whether there are more. */
                limit?: number;
                /** @description The `next_cursor` of the page before. */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Newest first. */
                        videos: {
                            /** @description Identifier of the video. */
                            video_id: string;
                            /**
                             * @description `processing`: on its way; `uploaded`: stored and readable; `uploading_failed`: `message` says why.
                             * @enum {string}
                             */
                            status: "processing" | "uploaded" | "uploading_failed";
                            /** @description Name of the video, as it was given. */
                            video_name: string;
                            /** @description The same as `video_name`. */
                            filename: string;
                            /** @description Length in seconds of presentation time; null until it is known. */
                            duration_s: number | null;
                            /** @description The folder it lies in, if any. */
                            folder_id: string | null;
                            /** @description That folder's name. */
                            folder_name: string | null;
                            /** @description The organisation it belongs to. */
                            org_id: string;
                            /**
                             * @description `user`: its owner sees it; `org`: everyone in the organisation does; `sample`: so too, and nobody changes it.
                             * @enum {string}
                             */
                            scope: "user" | "org" | "sample";
                            /**
                             * Format: date-time
                             * @description When its upload began, ISO 8601, UTC.
                             */
                            created_at: string;
                            /** @description Size of the file in bytes. */
                            size_bytes: number | null;
                            /** @description Only for a failed one: the code of the reason. */
                            error?: string;
                            /** @description Only for a failed one: the reason, in a sentence. */
                            message?: string;
                        }[];
                        /** @description Whether more videos follow. */
                        has_more: boolean;
                        /** @description Give it as `cursor` to get them. */
                        next_cursor: string | null;
                    };
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
            /** @description Your organisation. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "org_id": "019a0b1c2d3e7f008000000000000000",
                     *       "name": "Example Robotics",
                     *       "created_at": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": {
                        /** @description Identifier of the organisation. */
                        org_id: string;
                        /** @description Its name. */
                        name: string;
                        /**
                         * Format: date-time
                         * @description When it was made, ISO 8601, UTC.
                         */
                        created_at: string;
                    };
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
        /** @description What to change. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example Robotics"
                 *     }
                 */
                "application/json": {
                    /** @description The new name. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Your organisation. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "org_id": "019a0b1c2d3e7f008000000000000000",
                     *       "name": "Example Robotics",
                     *       "created_at": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": {
                        /** @description Identifier of the organisation. */
                        org_id: string;
                        /** @description Its name. */
                        name: string;
                        /**
                         * Format: date-time
                         * @description When it was made, ISO 8601, UTC.
                         */
                        created_at: string;
                    };
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
        /** @description To whom. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_id": "019a0b1c2d3e7f008000000000000001"
                 *     }
                 */
                "application/json": {
                    /** @description The member who becomes owner. */
                    user_id: string;
                };
            };
        };
        responses: {
            /** @description A member of the organisation. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the user. */
                        user_id: string;
                        /** @description Their e-mail address. */
                        email: string;
                        /** @description What others call them. */
                        name: string;
                        /**
                         * @description `member`: reads and writes; `admin`: manages keys and members, too; `owner`: manages owners and admins, too.
                         * @enum {string}
                         */
                        role: "owner" | "admin" | "member";
                        /**
                         * Format: date-time
                         * @description When they joined, ISO 8601, UTC.
                         */
                        joined_at: string;
                        /** @description Whether they can sign in with a password. */
                        has_password: boolean;
                        /** @description Whether they can sign in by single sign-on. */
                        has_sso: boolean;
                    };
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
        /** @description A question about one or more videos. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "a person walks past a parked car",
                 *       "video_id": "019a0b1c2d3e7f008000000000000003"
                 *     }
                 */
                "application/json": {
                    /** @description What to look for, in plain words; at most 10,000 characters. */
                    query: string;
                    /** @description The video to ask. Either this or `video_ids`. */
                    video_id?: string | null;
                    /** @description The videos to ask, at most 1,000; a video that stands in it twice is analysed twice. */
                    video_ids?: string[] | null;
                    /** @description A plan, as it stands in an analysis document under `analysis.plan`, to be followed instead of reading the query: the same plan gives the same answer. */
                    plan?: components["schemas"]["Plan"] | null;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description A query that was accepted. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "stream_id": "019a0b1c2d3e7f008000000000000012",
                     *       "batch_id": "019a0b1c2d3e7f008000000000000010",
                     *       "status": "processing",
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        /** @description Where its events are: `/api/router/v2/query/events/{stream_id}`. */
                        stream_id: string;
                        /** @description The batch of analyses that was made, one per video. */
                        batch_id: string;
                        /** @description `processing`. */
                        status: string;
                        /** @description How many analyses the batch has. */
                        total: number;
                    } & {
                        [key: string]: unknown;
                    };
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
                /** @description Id of the last event that was received; 0 for all. A `Last-Event-ID` header counts as well. */
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
        /** @description A question about one or more videos. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "a person walks past a parked car",
                 *       "video_id": "019a0b1c2d3e7f008000000000000003"
                 *     }
                 */
                "application/json": {
                    /** @description What to look for, in plain words; at most 10,000 characters. */
                    query: string;
                    /** @description The video to ask. Either this or `video_ids`. */
                    video_id?: string | null;
                    /** @description The videos to ask, at most 1,000; a video that stands in it twice is analysed twice. */
                    video_ids?: string[] | null;
                    /** @description A plan, as it stands in an analysis document under `analysis.plan`, to be followed instead of reading the query: the same plan gives the same answer. */
                    plan?: components["schemas"]["Plan"] | null;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description A query that was accepted. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "stream_id": "019a0b1c2d3e7f008000000000000012",
                     *       "batch_id": "019a0b1c2d3e7f008000000000000010",
                     *       "status": "processing",
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        /** @description Where its events are: `/api/router/v2/query/events/{stream_id}`. */
                        stream_id: string;
                        /** @description The batch of analyses that was made, one per video. */
                        batch_id: string;
                        /** @description `processing`. */
                        status: string;
                        /** @description How many analyses the batch has. */
                        total: number;
                    } & {
                        [key: string]: unknown;
                    };
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
        /** @description A question about one or more videos. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "a person walks past a parked car",
                 *       "video_id": "019a0b1c2d3e7f008000000000000003"
                 *     }
                 */
                "application/json": {
                    /** @description What to look for, in plain words; at most 10,000 characters. */
                    query: string;
                    /** @description The video to ask. Either this or `video_ids`. */
                    video_id?: string | null;
                    /** @description The videos to ask, at most 1,000; a video that stands in it twice is analysed twice. */
                    video_ids?: string[] | null;
                    /** @description A plan, as it stands in an analysis document under `analysis.plan`, to be followed instead of reading the query: the same plan gives the same answer. */
                    plan?: components["schemas"]["Plan"] | null;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Ask videos a question and follow the answer: the answer. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
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
        /** @description Either `keys`, or `sets`, or a selection by `prefix`, `include` and `exclude`. */
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Names of objects in the bucket, or their addresses (`s3://bucket/key`). Doubles count once. */
                    keys?: string[] | null;
                    /** @description The saved integration that opens the bucket; without it the one that was saved for the bucket. */
                    integration_id?: string | null;
                    /** @description Name of the bucket; may be left out with `integration_id`. */
                    bucket?: string | null;
                    /** @description Sets of views, in place of single objects. A row of the import is a set. */
                    sets?: {
                        /** @description Object by role: `front`, which each set has, and others such as `left`, `right`, `rear`. */
                        views: {
                            [key: string]: string;
                        };
                    }[] | null;
                    /** @description Whether objects that were imported already, in the same version, are imported again. Default false. */
                    force?: boolean | null;
                    /** @description Bring what begins with this; without it the prefix of the integration. */
                    prefix?: string | null;
                    /** @description Of these only what fits one of the patterns: `*` within a folder, `**` across folders, `?` one character. */
                    include?: string[] | null;
                    /** @description And not what fits one of these. */
                    exclude?: string[] | null;
                    /** @description Folder that the videos go to. */
                    folder_id?: string | null;
                    /** @description Who sees the videos: `user`, you alone; `org`, the organisation. Without it: as the folder, else `user`. */
                    scope?: ("user" | "org") | null;
                    /** @description Whether what was measured beside a video comes with it: an object of the same name with the ending `.json`, `.csv` or `.srt`. Default false. */
                    sidecars?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The import has begun. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the import job, `ij_` and 12 hexadecimal digits. */
                        import_job_id: string;
                        /**
                         * @description `importing`; then `completed` (all came), `partial` (some came), `failed` (none came) or `cancelled`.
                         * @enum {string}
                         */
                        status: "importing" | "completed" | "partial" | "failed" | "cancelled";
                        /** @description Rows so far: all of them when objects were named. */
                        total: number;
                        /** @description Objects so far that were imported already and are skipped. */
                        skipped: number;
                        /** @description The ids that the named objects will have as videos, in their order, or have already; empty for a selection. */
                        uploaded_video_ids: string[];
                    };
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
        /** @description The search to run, as existing clients send it. Other fields of theirs are accepted and not needed. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "session_id": "019a0b1c2d3e7f008000000000000020"
                 *     }
                 */
                "application/x-www-form-urlencoded": {
                    /** @description The session to run; it knows the words and the folder. */
                    session_id: string;
                } & {
                    [key: string]: unknown;
                };
                /**
                 * @example {
                 *       "session_id": "019a0b1c2d3e7f008000000000000020"
                 *     }
                 */
                "application/json": {
                    /** @description The session to run; it knows the words and the folder. */
                    session_id: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description It was run. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "completed"
                     *     }
                     */
                    "application/json": {
                        /** @description `completed`. */
                        status: string;
                    } & {
                        [key: string]: unknown;
                    };
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
                /**
                 * @example {
                 *       "query": "red car from the left",
                 *       "folder_name": "Night drives",
                 *       "scope": "org"
                 *     }
                 */
                "application/json": {
                    /** @description Words to look for among events; at most 1,000 characters. */
                    query: string;
                    /** @description Name of the folder whose videos are searched. */
                    folder_name: string;
                    /** @description Whose folder: `my` (or `user`), `org`, or `sample` for that of samples, whatever its name; without it, a personal folder comes first. */
                    scope?: ("my" | "user" | "org" | "sample") | null;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description A session that a search can be run in. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "session_id": "019a0b1c2d3e7f008000000000000020",
                     *       "owner_uid": "019a0b1c2d3e7f008000000000000001",
                     *       "session_doc_path": "search-sessions/019a0b1c2d3e7f008000000000000001/019a0b1c2d3e7f008000000000000020",
                     *       "reasoning_trace_path": "search-sessions/019a0b1c2d3e7f008000000000000001/019a0b1c2d3e7f008000000000000020"
                     *     }
                     */
                    "application/json": {
                        /** @description Identifier of the session. */
                        session_id: string;
                        /** @description Whose it is. */
                        owner_uid: string;
                        /** @description Its name, to be sent back as it is. */
                        session_doc_path: string;
                        /** @description The same. */
                        reasoning_trace_path: string;
                    } & {
                        [key: string]: unknown;
                    };
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
                /** @description Whose session it is. */
                owner_uid: string;
                /** @description Identifier of the session. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A search and what it found. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "status": "completed",
                     *         "query": "red car from the left",
                     *         "folder_name": "Night drives",
                     *         "summary": "1 event in 1 video matches.",
                     *         "thoughts": [
                     *           "Looked for: red; car; left."
                     *         ],
                     *         "matches": [
                     *           {
                     *             "video_id": "019a0b1c2d3e7f008000000000000003",
                     *             "analysis_id": "019a0b1c2d3e7f008000000000000011",
                     *             "event_index": 0,
                     *             "similarity": 1,
                     *             "reason": "\"Red car enters from the left\" has: red, car, left."
                     *           }
                     *         ],
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "completed_at": "2026-11-21T09:30:00.080Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The session. */
                        data: {
                            /** @description `pending` until it was run, then `completed`. */
                            status: string;
                            /** @description The words. */
                            query: string;
                            /** @description The folder. */
                            folder_name: string;
                            /** @description What was found, in a sentence. */
                            summary: string;
                            /** @description How it was looked for. */
                            thoughts: string[];
                            /** @description The events that match, best first; at most 200. */
                            matches: ({
                                /** @description Identifier of the video. */
                                video_id: string;
                                /** @description The analysis that told of the event. */
                                analysis_id: string;
                                /** @description Its place among the events of that analysis, from 0. */
                                event_index: number;
                                /** @description Share of what was asked for that is in it, 0 to 1. */
                                similarity: number;
                                /** @description What matched, in a sentence. */
                                reason: string;
                            } & {
                                [key: string]: unknown;
                            })[];
                            /**
                             * Format: date-time
                             * @description When it was started, ISO 8601, UTC.
                             */
                            created_at: string;
                            /** @description When it was run, ISO 8601, UTC. */
                            completed_at: string | null;
                        } & {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
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
    getSystem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What this service is and what it can see. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                     *           "reason": "The detector’s weights are not there."
                     *         }
                     *       ],
                     *       "vision_model": null,
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
                    "application/json": {
                        /** @description Version of the service. */
                        version: string;
                        /** @description The analysis engine. */
                        engine: {
                            /** @description Version of the analysis engine; the same version gives the same answers. */
                            version: string;
                            /** @description What decodes video on this node. */
                            media: string;
                        };
                        /** @description What can be observed in a video on this node. */
                        observers: {
                            /** @description What it observes: signals, sound, objects or telemetry in every frame; triage or glance in a sparse look. */
                            kind: string;
                            /** @description Whether it can observe now. */
                            available: boolean;
                            /** @description Version that its observations are stored under. */
                            version: string | null;
                            /** @description Why it cannot observe; null when it can. */
                            reason: string | null;
                        }[];
                        /** @description Vision-language model that looks at frames; null when none is set up. */
                        vision_model: string | null;
                        /** @description Where files live: `file` (local disk) or `s3`. */
                        storage: string;
                        /** @description What a request may ask for at most. */
                        limits: {
                            /** @description Largest video accepted, in bytes. */
                            upload_bytes: number;
                            /** @description Largest JSON or form body accepted, in bytes. */
                            json_bytes: number;
                            /** @description Longest prompt accepted, in characters. */
                            query_length: number;
                            /** @description Most videos one query may name. */
                            videos_per_query: number;
                            /** @description Longest video accepted, in seconds. */
                            video_seconds: number;
                            /** @description Most writes and queries of one key, or address, in a minute. */
                            writes_per_minute: number;
                            /** @description The same in a day. */
                            writes_per_day: number;
                            /** @description Most reads of one key, or address, in a minute, per node. */
                            reads_per_minute: number;
                        };
                    };
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
        /** @description The parts may come in any order; a form without a file may also be url-encoded or JSON. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source": "video_url",
                 *       "video_url": "https://videos.example.com/junction.mp4"
                 *     }
                 */
                "multipart/form-data": {
                    /**
                     * @description `file`: the form has the part `file`; `video_url`: the service fetches the URL.
                     * @enum {string}
                     */
                    source: "file" | "video_url";
                    /**
                     * Format: binary
                     * @description The video, for `source=file`. Its type is read from its bytes; its file name becomes its name.
                     */
                    file?: string;
                    /** @description An http or https URL of a video, for `source=video_url`. Only public addresses are fetched from, unless the operator allowed others. */
                    video_url?: string;
                    /** @description Name of the video, in place of its file name. */
                    custom_name?: string;
                    /** @description SHA-256 of the file as 64 hexadecimal digits, for `source=file`: what arrives otherwise is refused and not kept. */
                    sha256?: string;
                    /**
                     * Format: binary
                     * @description What was recorded beside the video (at most 16 MiB). JSON: an object, optionally with `fields: [{name, type, unit}]` and rows in `data`, or an array of rows; CSV with a line of names; or a drone's subtitles (SRT). Rows with a time (seconds from the first frame, or dates) and a speed, acceleration, yaw rate, heading or position are telemetry, which prompts such as "faster than 80 km/h" are answered from; `metadata.sidecar.telemetry` says what was understood.
                     */
                    metadata_file?: string;
                    /**
                     * @description Who sees it: `user`, you alone; `org`, the organisation. Without it: as its folder, else `user`.
                     * @enum {string}
                     */
                    scope?: "user" | "org";
                    /** @description Folder to put it in. */
                    folder_id?: string;
                    /** @description Accepted from existing clients and not used: a video is not cut up. */
                    chunk_size?: number;
                } & {
                    [key: string]: unknown;
                };
                /**
                 * @example {
                 *       "source": "video_url",
                 *       "video_url": "https://videos.example.com/junction.mp4"
                 *     }
                 */
                "application/x-www-form-urlencoded": {
                    /**
                     * @description `file`: the form has the part `file`; `video_url`: the service fetches the URL.
                     * @enum {string}
                     */
                    source: "file" | "video_url";
                    /**
                     * Format: binary
                     * @description The video, for `source=file`. Its type is read from its bytes; its file name becomes its name.
                     */
                    file?: string;
                    /** @description An http or https URL of a video, for `source=video_url`. Only public addresses are fetched from, unless the operator allowed others. */
                    video_url?: string;
                    /** @description Name of the video, in place of its file name. */
                    custom_name?: string;
                    /** @description SHA-256 of the file as 64 hexadecimal digits, for `source=file`: what arrives otherwise is refused and not kept. */
                    sha256?: string;
                    /**
                     * Format: binary
                     * @description What was recorded beside the video (at most 16 MiB). JSON: an object, optionally with `fields: [{name, type, unit}]` and rows in `data`, or an array of rows; CSV with a line of names; or a drone's subtitles (SRT). Rows with a time (seconds from the first frame, or dates) and a speed, acceleration, yaw rate, heading or position are telemetry, which prompts such as "faster than 80 km/h" are answered from; `metadata.sidecar.telemetry` says what was understood.
                     */
                    metadata_file?: string;
                    /**
                     * @description Who sees it: `user`, you alone; `org`, the organisation. Without it: as its folder, else `user`.
                     * @enum {string}
                     */
                    scope?: "user" | "org";
                    /** @description Folder to put it in. */
                    folder_id?: string;
                    /** @description Accepted from existing clients and not used: a video is not cut up. */
                    chunk_size?: number;
                } & {
                    [key: string]: unknown;
                };
                /**
                 * @example {
                 *       "source": "video_url",
                 *       "video_url": "https://videos.example.com/junction.mp4"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description `file`: the form has the part `file`; `video_url`: the service fetches the URL.
                     * @enum {string}
                     */
                    source: "file" | "video_url";
                    /**
                     * Format: binary
                     * @description The video, for `source=file`. Its type is read from its bytes; its file name becomes its name.
                     */
                    file?: string;
                    /** @description An http or https URL of a video, for `source=video_url`. Only public addresses are fetched from, unless the operator allowed others. */
                    video_url?: string;
                    /** @description Name of the video, in place of its file name. */
                    custom_name?: string;
                    /** @description SHA-256 of the file as 64 hexadecimal digits, for `source=file`: what arrives otherwise is refused and not kept. */
                    sha256?: string;
                    /**
                     * Format: binary
                     * @description What was recorded beside the video (at most 16 MiB). JSON: an object, optionally with `fields: [{name, type, unit}]` and rows in `data`, or an array of rows; CSV with a line of names; or a drone's subtitles (SRT). Rows with a time (seconds from the first frame, or dates) and a speed, acceleration, yaw rate, heading or position are telemetry, which prompts such as "faster than 80 km/h" are answered from; `metadata.sidecar.telemetry` says what was understood.
                     */
                    metadata_file?: string;
                    /**
                     * @description Who sees it: `user`, you alone; `org`, the organisation. Without it: as its folder, else `user`.
                     * @enum {string}
                     */
                    scope?: "user" | "org";
                    /** @description Folder to put it in. */
                    folder_id?: string;
                    /** @description Accepted from existing clients and not used: a video is not cut up. */
                    chunk_size?: number;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description How a video stands. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the video. */
                        video_id: string;
                        /**
                         * @description `processing`: on its way; `uploaded`: stored and readable; `uploading_failed`: `message` says why.
                         * @enum {string}
                         */
                        status: "processing" | "uploaded" | "uploading_failed";
                        /** @description Name of the video, as it was given. */
                        video_name: string;
                        /** @description The same as `video_name`. */
                        filename: string;
                        /** @description Length in seconds of presentation time; null until it is known. */
                        duration_s: number | null;
                        /** @description The folder it lies in, if any. */
                        folder_id: string | null;
                        /** @description That folder's name. */
                        folder_name: string | null;
                        /** @description The organisation it belongs to. */
                        org_id: string;
                        /**
                         * @description `user`: its owner sees it; `org`: everyone in the organisation does; `sample`: so too, and nobody changes it.
                         * @enum {string}
                         */
                        scope: "user" | "org" | "sample";
                        /**
                         * Format: date-time
                         * @description When its upload began, ISO 8601, UTC.
                         */
                        created_at: string;
                        /** @description Only for a failed one: the code of the reason. */
                        error?: string;
                        /** @description Only for a failed one: the reason, in a sentence. */
                        message?: string;
                        /** @description What it is tagged with. */
                        tags: string[];
                        /** @description How the arrival stands, where existing clients look for it. Analyses never change it. */
                        visual_analysis: {
                            /** @description How the arrival stands. */
                            status: {
                                /**
                                 * @description The same in the words that existing clients poll for.
                                 * @enum {string}
                                 */
                                status: "PREPARE_IN_PROGRESS" | "UPLOADED" | "UPLOADING_FAILED";
                                /** @description Only for a failed one: the code of the reason. */
                                error?: string;
                                /** @description Only for a failed one: the reason, in a sentence. */
                                message?: string;
                            };
                        };
                        /** @description What is known of the file, and beside it what users say of the video. */
                        metadata: {
                            /** @description How the arrival stands, where existing clients look for it. Analyses never change it. */
                            visual_analysis: {
                                /** @description How the arrival stands. */
                                status: {
                                    /**
                                     * @description The same in the words that existing clients poll for.
                                     * @enum {string}
                                     */
                                    status: "PREPARE_IN_PROGRESS" | "UPLOADED" | "UPLOADING_FAILED";
                                    /** @description Only for a failed one: the code of the reason. */
                                    error?: string;
                                    /** @description Only for a failed one: the reason, in a sentence. */
                                    message?: string;
                                };
                            };
                            /** @description Always 1: a video is not cut up. */
                            chunks_total: number;
                            /** @description 1 once the video is stored. */
                            chunks_uploaded: number;
                            /** @description How it came: `file` or `video_url`. */
                            source: string;
                            /** @description Where it came from, without credentials. */
                            source_uri: string | null;
                            /** @description Size of the file in bytes. */
                            size_bytes: number | null;
                            /** @description SHA-256 of the file, lower-case hex. */
                            sha256: string | null;
                            /** @description Width in pixels, as shown (after rotation). */
                            width: number | null;
                            /** @description Height in pixels, as shown. */
                            height: number | null;
                            /** @description Average frames per second, where the file says one. */
                            frame_rate: number | null;
                            /** @description Container, as its bytes say. */
                            container: string | null;
                            /** @description Codec of the pictures. */
                            video_codec: string | null;
                            /** @description Codec of the sound; null without sound. */
                            audio_codec: string | null;
                            /** @description The file's own creation time, ISO 8601, UTC. */
                            recorded_at: string | null;
                            /** @description What came as `metadata_file`: its name, size, declared fields, and what of it is understood as telemetry. */
                            sidecar?: unknown;
                        } & {
                            [key: string]: unknown;
                        };
                    };
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
    createResumableUpload: {
        parameters: {
            query?: never;
            header: {
                /** @description The version of tus that is spoken. */
                "tus-resumable": "1.0.0";
                /** @description Size of the whole file in bytes. */
                "upload-length": string;
                /** @description Names with base64 values: `filename`, and optionally `custom_name`, `scope`, `folder_id` and `sha256`, with the meaning they have in `POST /api/upload-video`. */
                "upload-metadata"?: string;
                /** @description Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No body; the headers say it. */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
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
            /** @description No body; the headers say it. */
            204: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
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
                /** @description The version of tus that is spoken. */
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
            /** @description No body; the headers say it. */
            204: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
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
                /** @description The version of tus that is spoken. */
                "tus-resumable": "1.0.0";
                /** @description Where the piece begins: how many bytes are kept already. */
                "upload-offset": string;
                /** @description `sha1`, `sha256` or `md5` and the digest of the piece in base64: it is kept only if it matches. */
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
            /** @description No body; the headers say it. */
            204: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
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
            /** @description What an organisation takes up. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "videos": 12,
                     *       "bytes": 88080384,
                     *       "max_videos": null,
                     *       "max_bytes": 1099511627776
                     *     }
                     */
                    "application/json": {
                        /** @description How many videos there are, deleted ones that can be restored among them. */
                        videos: number;
                        /** @description Bytes that are stored, or held free for uploads under way. */
                        bytes: number;
                        /** @description How many videos there may be; null: no limit. */
                        max_videos: number | null;
                        /** @description How many bytes may be stored; null: no limit. */
                        max_bytes: number | null;
                    };
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
        requestBody: {
            content: {
                /**
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
                "application/json": {
                    /** @description What to sign: 1 to 50 requests. */
                    requests: {
                        /** @description Your own name for this request: its result is found under it. */
                        request_id: string;
                        /** @description Identifier of the video. */
                        video_id: string;
                        /** @description What the URL leads to: the `film` as it was uploaded; its `poster` (JPEG); a single `frame` (JPEG; add `&t=` and a time in seconds to the URL); a `storyboard` (WebVTT that points into one JPEG of thumbnails); a `clip` from `start` to `end` (MP4); the film as an `hls` stream, which every browser plays whatever the film was made of. */
                        kind?: ("film" | "poster" | "frame" | "storyboard" | "clip" | "hls") | null;
                        /** @description Of a clip: where it begins, in seconds from the first frame; exact to the frame. */
                        start?: number | null;
                        /** @description Of a clip: where it ends, in seconds; at most 300 after its start. Past the end of the video is its end. */
                        end?: number | null;
                        /** @description How long the URL plays, in seconds. */
                        expires_in?: number | null;
                        /** @description Method that the URL is good for; a URL for `GET` also answers `HEAD`. */
                        method?: ("GET" | "HEAD") | null;
                        /** @description Accepted for existing clients and not used: `kind` says what is wanted. */
                        path?: string | null;
                        /** @description Accepted for existing clients and not used. */
                        share_token?: string | null;
                        /** @description Accepted for existing clients and not used. */
                        allow_sample?: boolean | null;
                        /** @description Accepted for existing clients and not used. */
                        batch_id?: string | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description The outcome of each request. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description One result per `request_id`. */
                        results: {
                            [key: string]: {
                                /** @enum {boolean} */
                                ok: true;
                                /** @description Answers without a key: `Range` and `HEAD` work on it. */
                                url: string;
                                /**
                                 * Format: date-time
                                 * @description When it stops playing, ISO 8601 UTC.
                                 */
                                expires_at: string;
                                /**
                                 * @description Method that the URL is good for; a URL for `GET` also answers `HEAD`.
                                 * @enum {string}
                                 */
                                method: "GET" | "HEAD";
                            } | {
                                /** @enum {boolean} */
                                ok: false;
                                /** @description Stable code, listed in the error reference. */
                                error: string;
                                /** @description The same as a sentence. */
                                message: string;
                                /** @description The status that this request would have had on its own. */
                                status: number;
                            };
                        };
                    };
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
                /** @description Erase at once, with no time to restore. */
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
            /** @description The video is gone. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "deleted",
                     *       "video_id": "019a0b1c2d3e7f008000000000000010",
                     *       "restorable_until": "2026-11-22T09:30:00.000Z"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `deleted`.
                         * @enum {string}
                         */
                        status: "deleted";
                        /** @description Identifier of the video that was. */
                        video_id: string;
                        /** @description Until when a deleted video can be restored; null: it cannot, or need not. */
                        restorable_until: string | null;
                    };
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
        /** @description What is to change; what is left out stays. */
        requestBody?: {
            content: {
                /**
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
                "application/json": {
                    /** @description A new name. */
                    name?: string | null;
                    /** @description The folder to move it into; null takes it out of its folder. */
                    folder_id?: string | null;
                    /** @description All of its tags, in place of those it has. */
                    tags?: string[] | null;
                    /** @description Names and values to say of it, beside those it has; null drops a name. */
                    metadata?: {
                        [key: string]: string | number | boolean | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description A video of the library. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the video. */
                        video_id: string;
                        /**
                         * @description `processing`: on its way; `uploaded`: stored and readable; `uploading_failed`: `message` says why.
                         * @enum {string}
                         */
                        status: "processing" | "uploaded" | "uploading_failed";
                        /** @description Name of the video, as it was given. */
                        video_name: string;
                        /** @description The same as `video_name`. */
                        filename: string;
                        /** @description Length in seconds of presentation time; null until it is known. */
                        duration_s: number | null;
                        /** @description The folder it lies in, if any. */
                        folder_id: string | null;
                        /** @description That folder's name. */
                        folder_name: string | null;
                        /** @description The organisation it belongs to. */
                        org_id: string;
                        /**
                         * @description `user`: its owner sees it; `org`: everyone in the organisation does; `sample`: so too, and nobody changes it.
                         * @enum {string}
                         */
                        scope: "user" | "org" | "sample";
                        /**
                         * Format: date-time
                         * @description When its upload began, ISO 8601, UTC.
                         */
                        created_at: string;
                        /** @description Size of the file in bytes. */
                        size_bytes: number | null;
                        /** @description Only for a failed one: the code of the reason. */
                        error?: string;
                        /** @description Only for a failed one: the reason, in a sentence. */
                        message?: string;
                        /** @description How it came: `file` or `video_url`. */
                        source: string;
                        /** @description What it is tagged with. */
                        tags: string[];
                        /** @description What users say of it. */
                        metadata: {
                            [key: string]: string | number | boolean;
                        };
                        /** @description Until when a deleted video can be restored; null: it cannot, or need not. */
                        restorable_until: string | null;
                    };
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "video_id": "019a0b1c2d3e7f008000000000000003",
                     *       "analysis_id": "019a0b1c2d3e7f008000000000000011",
                     *       "analysis": {
                     *         "status": "COMPLETED",
                     *         "analysis_id": "019a0b1c2d3e7f008000000000000011",
                     *         "batch_id": "019a0b1c2d3e7f008000000000000010",
                     *         "query": "the picture gets dark",
                     *         "mode": "thinking",
                     *         "answer": "The picture gets dark once, from 00:12 to 00:15.",
                     *         "summary": "The picture gets dark once, from 00:12 to 00:15.",
                     *         "events": [
                     *           {
                     *             "event_id": "019a0b1c2d3e7f008000000000000011-0",
                     *             "type": "light",
                     *             "description": "The picture gets dark",
                     *             "severity": "medium",
                     *             "aiAnalysis": "The mean brightness fell from 118 to 31 of 255 within 0.4 s and stayed below 40.",
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
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Identifier of the video. */
                        video_id: string;
                        /** @description Identifier of the analysis. */
                        analysis_id: string;
                        /** @description The result, complete. */
                        analysis: {
                            /**
                             * @description `PROCESSING` until the analysis has ended; then `COMPLETED` or `FAILED`.
                             * @enum {string}
                             */
                            status: "PROCESSING" | "COMPLETED" | "FAILED";
                            /** @description Identifier of the analysis. */
                            analysis_id: string;
                            /** @description The batch it belongs to. */
                            batch_id: string | null;
                            /** @description The prompt. */
                            query: string;
                            /** @description `thinking` or `fast`. */
                            mode: string;
                            /** @description The answer in words; the summary when the prompt asked no question. */
                            answer: string;
                            /** @description What was found, and what could not be looked for. */
                            summary: string;
                            /** @description The events in their stored form; empty while it runs. */
                            events: ({
                                /** @description Unique and stable. */
                                event_id: string;
                                /** @description Kind of happening: `object`, `motion`, `light`, `cut`, `sound`, … */
                                type: string;
                                /** @description Start, as `t=` and seconds from the first frame with three decimals: `t=12.340`. */
                                time: string;
                                /** @description End, in the same form. */
                                end_time: string;
                                /** @description What happened, in a few words. */
                                description: string;
                                /** @description `low`, `medium` or `high`. */
                                severity: string;
                                /** @description Why this was reported, with the numbers that led to it. */
                                aiAnalysis: string;
                                /** @description `pending`, until a person reviews it. */
                                approval: string;
                                /** @description `true`: older clients drop the events of agents without it. */
                                edgeCaseValidated: string;
                                /** @description Start in seconds from the first frame: the presentation time of a frame. */
                                start_s: number;
                                /** @description End in seconds from the first frame. */
                                end_s: number;
                                data: {
                                    /** @description How certain the engine is, 0 to 1. */
                                    confidence: number;
                                    /** @description Signed URL of the evidence picture, a JPEG that is drawn when it is first fetched; needs no key, holds for 24 hours. */
                                    annotated_thumbnail_url?: string;
                                    /** @description Exact presentation time stamp of the start, in units of `time_base`. */
                                    start_pts: number;
                                    /** @description Exact presentation time stamp of the end. */
                                    end_pts: number;
                                    /** @description Seconds per time stamp unit: numerator, denominator. */
                                    time_base: number[];
                                    /** @description What shows it: `frames` (role, time_s in seconds, pts, boxes in fractions of the picture, url), `tracks` (id, class, color, path as [seconds, x, y]), `signals` (name, value, threshold, unit). */
                                    evidence: {
                                        [key: string]: unknown;
                                    };
                                } & {
                                    [key: string]: unknown;
                                };
                            } & {
                                [key: string]: unknown;
                            })[];
                            /** @description For each part of the prompt: what looked for it, or why nothing could. */
                            coverage: ({
                                /** @description The words of the prompt. */
                                text: string;
                                /** @description `looked_for`, `partly` or `not_looked_for`. */
                                status: string;
                                /** @description What looked for it. */
                                by: string[];
                                /** @description Why not, or with what limits. */
                                reason: string | null;
                                /** @description How many events came of it. */
                                findings: number;
                            } & {
                                [key: string]: unknown;
                            })[];
                            /** @description What was looked for, as a plan that can be sent again; null when there is none. */
                            plan: components["schemas"]["Plan"] | null;
                            /** @description The same plan, video and version give the same answer. */
                            engine_version?: string;
                            /**
                             * Format: date-time
                             * @description When it was asked for, ISO 8601, UTC.
                             */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description When it ended, ISO 8601, UTC.
                             */
                            completed_at?: string;
                            /** @description Code of what went wrong. */
                            error?: string;
                            /** @description What went wrong, in a sentence. */
                            message?: string;
                            /** @description Where it is, while it runs. */
                            stage?: string;
                            /** @description Percent done, while it runs. */
                            progress?: number;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description The video as it was analysed: `filename`, `duration_s` (seconds), `width` and `height` (pixels), `frame_rate` (frames per second), `size_bytes`, `import_source_uri`, `created_at`; and `visual_analysis`, where older clients look for the status. */
                        metadata: {
                            [key: string]: unknown;
                        };
                        /** @description The events in their readable form. */
                        events: ({
                            /** @description The same as in the stored form. */
                            event_id: string;
                            /** @description Kind of happening. */
                            type: string;
                            /** @description The same as `type`. */
                            category: string;
                            /** @description What happened, in a few words. */
                            label: string;
                            /** @description The same as `label`. */
                            description: string;
                            /** @description `low`, `medium` or `high`. */
                            severity: string;
                            /** @description 0 to 1. */
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
                            /** @description Why this was reported. */
                            aiAnalysis: string;
                            /** @description `pending`, until a person reviews it. */
                            approval: string;
                            /** @description Signed URL of the evidence picture. */
                            annotated_thumbnail_url?: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                    } & {
                        [key: string]: unknown;
                    };
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
                /** @description Name of the file, to show. */
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
        /** @description The file as it is; its kind is read from its content. */
        requestBody: {
            content: {
                "application/octet-stream": string;
                "application/json": string;
                "text/csv": string;
                "application/x-subrip": string;
            };
        };
        responses: {
            /** @description How a video stands. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the video. */
                        video_id: string;
                        /**
                         * @description `processing`: on its way; `uploaded`: stored and readable; `uploading_failed`: `message` says why.
                         * @enum {string}
                         */
                        status: "processing" | "uploaded" | "uploading_failed";
                        /** @description Name of the video, as it was given. */
                        video_name: string;
                        /** @description The same as `video_name`. */
                        filename: string;
                        /** @description Length in seconds of presentation time; null until it is known. */
                        duration_s: number | null;
                        /** @description The folder it lies in, if any. */
                        folder_id: string | null;
                        /** @description That folder's name. */
                        folder_name: string | null;
                        /** @description The organisation it belongs to. */
                        org_id: string;
                        /**
                         * @description `user`: its owner sees it; `org`: everyone in the organisation does; `sample`: so too, and nobody changes it.
                         * @enum {string}
                         */
                        scope: "user" | "org" | "sample";
                        /**
                         * Format: date-time
                         * @description When its upload began, ISO 8601, UTC.
                         */
                        created_at: string;
                        /** @description Only for a failed one: the code of the reason. */
                        error?: string;
                        /** @description Only for a failed one: the reason, in a sentence. */
                        message?: string;
                        /** @description What it is tagged with. */
                        tags: string[];
                        /** @description How the arrival stands, where existing clients look for it. Analyses never change it. */
                        visual_analysis: {
                            /** @description How the arrival stands. */
                            status: {
                                /**
                                 * @description The same in the words that existing clients poll for.
                                 * @enum {string}
                                 */
                                status: "PREPARE_IN_PROGRESS" | "UPLOADED" | "UPLOADING_FAILED";
                                /** @description Only for a failed one: the code of the reason. */
                                error?: string;
                                /** @description Only for a failed one: the reason, in a sentence. */
                                message?: string;
                            };
                        };
                        /** @description What is known of the file, and beside it what users say of the video. */
                        metadata: {
                            /** @description How the arrival stands, where existing clients look for it. Analyses never change it. */
                            visual_analysis: {
                                /** @description How the arrival stands. */
                                status: {
                                    /**
                                     * @description The same in the words that existing clients poll for.
                                     * @enum {string}
                                     */
                                    status: "PREPARE_IN_PROGRESS" | "UPLOADED" | "UPLOADING_FAILED";
                                    /** @description Only for a failed one: the code of the reason. */
                                    error?: string;
                                    /** @description Only for a failed one: the reason, in a sentence. */
                                    message?: string;
                                };
                            };
                            /** @description Always 1: a video is not cut up. */
                            chunks_total: number;
                            /** @description 1 once the video is stored. */
                            chunks_uploaded: number;
                            /** @description How it came: `file` or `video_url`. */
                            source: string;
                            /** @description Where it came from, without credentials. */
                            source_uri: string | null;
                            /** @description Size of the file in bytes. */
                            size_bytes: number | null;
                            /** @description SHA-256 of the file, lower-case hex. */
                            sha256: string | null;
                            /** @description Width in pixels, as shown (after rotation). */
                            width: number | null;
                            /** @description Height in pixels, as shown. */
                            height: number | null;
                            /** @description Average frames per second, where the file says one. */
                            frame_rate: number | null;
                            /** @description Container, as its bytes say. */
                            container: string | null;
                            /** @description Codec of the pictures. */
                            video_codec: string | null;
                            /** @description Codec of the sound; null without sound. */
                            audio_codec: string | null;
                            /** @description The file's own creation time, ISO 8601, UTC. */
                            recorded_at: string | null;
                            /** @description What came as `metadata_file`: its name, size, declared fields, and what of it is understood as telemetry. */
                            sidecar?: unknown;
                        } & {
                            [key: string]: unknown;
                        };
                    };
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the video. */
                        video_id: string;
                        /**
                         * @description `processing`: on its way; `uploaded`: stored and readable; `uploading_failed`: `message` says why.
                         * @enum {string}
                         */
                        status: "processing" | "uploaded" | "uploading_failed";
                        /** @description Name of the video, as it was given. */
                        video_name: string;
                        /** @description The same as `video_name`. */
                        filename: string;
                        /** @description Length in seconds of presentation time; null until it is known. */
                        duration_s: number | null;
                        /** @description The folder it lies in, if any. */
                        folder_id: string | null;
                        /** @description That folder's name. */
                        folder_name: string | null;
                        /** @description The organisation it belongs to. */
                        org_id: string;
                        /**
                         * @description `user`: its owner sees it; `org`: everyone in the organisation does; `sample`: so too, and nobody changes it.
                         * @enum {string}
                         */
                        scope: "user" | "org" | "sample";
                        /**
                         * Format: date-time
                         * @description When its upload began, ISO 8601, UTC.
                         */
                        created_at: string;
                        /** @description Size of the file in bytes. */
                        size_bytes: number | null;
                        /** @description Only for a failed one: the code of the reason. */
                        error?: string;
                        /** @description Only for a failed one: the reason, in a sentence. */
                        message?: string;
                        /** @description How it came: `file` or `video_url`. */
                        source: string;
                        /** @description What it is tagged with. */
                        tags: string[];
                        /** @description What users say of it. */
                        metadata: {
                            [key: string]: string | number | boolean;
                        };
                        /** @description Until when a deleted video can be restored; null: it cannot, or need not. */
                        restorable_until: string | null;
                    };
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
        /** @description All fields are optional; no body at all is fine. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "expires_in": 900,
                 *       "method": "GET"
                 *     }
                 */
                "application/json": {
                    /** @description What the URL leads to: the `film` as it was uploaded; its `poster` (JPEG); a single `frame` (JPEG; add `&t=` and a time in seconds to the URL); a `storyboard` (WebVTT that points into one JPEG of thumbnails); a `clip` from `start` to `end` (MP4); the film as an `hls` stream, which every browser plays whatever the film was made of. */
                    kind?: ("film" | "poster" | "frame" | "storyboard" | "clip" | "hls") | null;
                    /** @description Of a clip: where it begins, in seconds from the first frame; exact to the frame. */
                    start?: number | null;
                    /** @description Of a clip: where it ends, in seconds; at most 300 after its start. Past the end of the video is its end. */
                    end?: number | null;
                    /** @description How long the URL plays, in seconds. */
                    expires_in?: number | null;
                    /** @description Method that the URL is good for; a URL for `GET` also answers `HEAD`. */
                    method?: ("GET" | "HEAD") | null;
                    /** @description Accepted for existing clients and not used: `kind` says what is wanted. */
                    path?: string | null;
                    /** @description Accepted for existing clients and not used. */
                    share_token?: string | null;
                    /** @description Accepted for existing clients and not used. */
                    allow_sample?: boolean | null;
                    /** @description Accepted for existing clients and not used. */
                    batch_id?: string | null;
                };
            };
        };
        responses: {
            /** @description A URL that plays the video for a while. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "http://localhost:8099/api/media/0198f0a0c0de7000800000000000abcd?token=t1x2y3.signature",
                     *       "expires_at": "2026-11-21T10:15:00.000Z",
                     *       "method": "GET"
                     *     }
                     */
                    "application/json": {
                        /** @description Answers without a key: `Range` and `HEAD` work on it. */
                        url: string;
                        /**
                         * Format: date-time
                         * @description When it stops playing, ISO 8601 UTC.
                         */
                        expires_at: string;
                        /**
                         * @description Method that the URL is good for; a URL for `GET` also answers `HEAD`.
                         * @enum {string}
                         */
                        method: "GET" | "HEAD";
                    };
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
            /** @description How a video stands. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description Identifier of the video. */
                        video_id: string;
                        /**
                         * @description `processing`: on its way; `uploaded`: stored and readable; `uploading_failed`: `message` says why.
                         * @enum {string}
                         */
                        status: "processing" | "uploaded" | "uploading_failed";
                        /** @description Name of the video, as it was given. */
                        video_name: string;
                        /** @description The same as `video_name`. */
                        filename: string;
                        /** @description Length in seconds of presentation time; null until it is known. */
                        duration_s: number | null;
                        /** @description The folder it lies in, if any. */
                        folder_id: string | null;
                        /** @description That folder's name. */
                        folder_name: string | null;
                        /** @description The organisation it belongs to. */
                        org_id: string;
                        /**
                         * @description `user`: its owner sees it; `org`: everyone in the organisation does; `sample`: so too, and nobody changes it.
                         * @enum {string}
                         */
                        scope: "user" | "org" | "sample";
                        /**
                         * Format: date-time
                         * @description When its upload began, ISO 8601, UTC.
                         */
                        created_at: string;
                        /** @description Only for a failed one: the code of the reason. */
                        error?: string;
                        /** @description Only for a failed one: the reason, in a sentence. */
                        message?: string;
                        /** @description What it is tagged with. */
                        tags: string[];
                        /** @description How the arrival stands, where existing clients look for it. Analyses never change it. */
                        visual_analysis: {
                            /** @description How the arrival stands. */
                            status: {
                                /**
                                 * @description The same in the words that existing clients poll for.
                                 * @enum {string}
                                 */
                                status: "PREPARE_IN_PROGRESS" | "UPLOADED" | "UPLOADING_FAILED";
                                /** @description Only for a failed one: the code of the reason. */
                                error?: string;
                                /** @description Only for a failed one: the reason, in a sentence. */
                                message?: string;
                            };
                        };
                        /** @description What is known of the file, and beside it what users say of the video. */
                        metadata: {
                            /** @description How the arrival stands, where existing clients look for it. Analyses never change it. */
                            visual_analysis: {
                                /** @description How the arrival stands. */
                                status: {
                                    /**
                                     * @description The same in the words that existing clients poll for.
                                     * @enum {string}
                                     */
                                    status: "PREPARE_IN_PROGRESS" | "UPLOADED" | "UPLOADING_FAILED";
                                    /** @description Only for a failed one: the code of the reason. */
                                    error?: string;
                                    /** @description Only for a failed one: the reason, in a sentence. */
                                    message?: string;
                                };
                            };
                            /** @description Always 1: a video is not cut up. */
                            chunks_total: number;
                            /** @description 1 once the video is stored. */
                            chunks_uploaded: number;
                            /** @description How it came: `file` or `video_url`. */
                            source: string;
                            /** @description Where it came from, without credentials. */
                            source_uri: string | null;
                            /** @description Size of the file in bytes. */
                            size_bytes: number | null;
                            /** @description SHA-256 of the file, lower-case hex. */
                            sha256: string | null;
                            /** @description Width in pixels, as shown (after rotation). */
                            width: number | null;
                            /** @description Height in pixels, as shown. */
                            height: number | null;
                            /** @description Average frames per second, where the file says one. */
                            frame_rate: number | null;
                            /** @description Container, as its bytes say. */
                            container: string | null;
                            /** @description Codec of the pictures. */
                            video_codec: string | null;
                            /** @description Codec of the sound; null without sound. */
                            audio_codec: string | null;
                            /** @description The file's own creation time, ISO 8601, UTC. */
                            recorded_at: string | null;
                            /** @description What came as `metadata_file`: its name, size, declared fields, and what of it is understood as telemetry. */
                            sidecar?: unknown;
                        } & {
                            [key: string]: unknown;
                        };
                    };
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
                /** @description Only those in this folder. */
                folder_id?: string;
                /** @description The same by name. A personal folder of this name comes first. */
                folder?: string;
                /** @description Only personal ones, or only those of the organisation. Without it: both. */
                scope?: "user" | "org";
                /** @description `processing`: on its way; `uploaded`: stored and readable; `uploading_failed`: `message` says why. */
                status?: "processing" | "uploaded" | "uploading_failed";
                /** @description Only those whose name contains this, in any case. */
                name?: string;
                /** @description A tag. Spaces around it are dropped. */
                tag?: string;
                /** @description Only those that came this way, such as `file` or `video_url`. */
                source?: string;
                /** @description Only those whose upload began then or later, ISO 8601. */
                created_after?: string;
                /** @description Only those whose upload began before then, ISO 8601. */
                created_before?: string;
                /** @description True: deleted videos that can still be restored, instead of those that are there. */
                deleted?: boolean;
                /** @description Order; a minus is descending. Without it: `-created_at`, newest first. */
                sort?: "-created_at" | "created_at" | "name" | "-name";
                /** @description How many videos at most; 100 without it. */
                limit?: number;
                /** @description The `next_cursor` of the page before; the order stays the same. */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /** @description In the order that was asked for. */
                        videos: {
                            /** @description Identifier of the video. */
                            video_id: string;
                            /**
                             * @description `processing`: on its way; `uploaded`: stored and readable; `uploading_failed`: `message` says why.
                             * @enum {string}
                             */
                            status: "processing" | "uploaded" | "uploading_failed";
                            /** @description Name of the video, as it was given. */
                            video_name: string;
                            /** @description The same as `video_name`. */
                            filename: string;
                            /** @description Length in seconds of presentation time; null until it is known. */
                            duration_s: number | null;
                            /** @description The folder it lies in, if any. */
                            folder_id: string | null;
                            /** @description That folder's name. */
                            folder_name: string | null;
                            /** @description The organisation it belongs to. */
                            org_id: string;
                            /**
                             * @description `user`: its owner sees it; `org`: everyone in the organisation does; `sample`: so too, and nobody changes it.
                             * @enum {string}
                             */
                            scope: "user" | "org" | "sample";
                            /**
                             * Format: date-time
                             * @description When its upload began, ISO 8601, UTC.
                             */
                            created_at: string;
                            /** @description Size of the file in bytes. */
                            size_bytes: number | null;
                            /** @description Only for a failed one: the code of the reason. */
                            error?: string;
                            /** @description Only for a failed one: the reason, in a sentence. */
                            message?: string;
                            /** @description How it came: `file` or `video_url`. */
                            source: string;
                            /** @description What it is tagged with. */
                            tags: string[];
                            /** @description What users say of it. */
                            metadata: {
                                [key: string]: string | number | boolean;
                            };
                            /** @description Until when a deleted video can be restored; null: it cannot, or need not. */
                            restorable_until: string | null;
                        }[];
                        /** @description Whether more videos follow. */
                        has_more: boolean;
                        /** @description Give it as `cursor` to get them. */
                        next_cursor: string | null;
                    };
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
                /**
                 * @example {
                 *       "video_ids": [
                 *         "019a0b1c2d3e7f008000000000000010"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description The videos; doubles count once. */
                    video_ids: string[];
                    /** @description Erase at once, with no time to restore. */
                    erase?: boolean | null;
                };
            };
        };
        responses: {
            /** @description What became of each video. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "video_id": "019a0b1c2d3e7f008000000000000010",
                     *           "ok": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description What became of each, in the order of the request. One that fails stops no other. */
                        results: {
                            /** @description Identifier of the video. */
                            video_id: string;
                            /** @description Whether it was done. */
                            ok: boolean;
                            /** @description Only when not: the status it would have had alone. */
                            status?: number;
                            /** @description Only when not: the code of the reason. */
                            error?: string;
                            /** @description Only when not: the reason, in a sentence. */
                            message?: string;
                        }[];
                    };
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
                /**
                 * @example {
                 *       "video_ids": [
                 *         "019a0b1c2d3e7f008000000000000010"
                 *       ],
                 *       "folder_id": "019a0b1c2d3e7f008000000000000003"
                 *     }
                 */
                "application/json": {
                    /** @description The videos; doubles count once. */
                    video_ids: string[];
                    /** @description The folder to move them into; null takes them out of theirs. */
                    folder_id: string | null;
                };
            };
        };
        responses: {
            /** @description What became of each video. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "video_id": "019a0b1c2d3e7f008000000000000010",
                     *           "ok": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description What became of each, in the order of the request. One that fails stops no other. */
                        results: {
                            /** @description Identifier of the video. */
                            video_id: string;
                            /** @description Whether it was done. */
                            ok: boolean;
                            /** @description Only when not: the status it would have had alone. */
                            status?: number;
                            /** @description Only when not: the code of the reason. */
                            error?: string;
                            /** @description Only when not: the reason, in a sentence. */
                            message?: string;
                        }[];
                    };
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
                /**
                 * @example {
                 *       "video_ids": [
                 *         "019a0b1c2d3e7f008000000000000010"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description The videos; doubles count once. */
                    video_ids: string[];
                };
            };
        };
        responses: {
            /** @description What became of each video. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "video_id": "019a0b1c2d3e7f008000000000000010",
                     *           "ok": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description What became of each, in the order of the request. One that fails stops no other. */
                        results: {
                            /** @description Identifier of the video. */
                            video_id: string;
                            /** @description Whether it was done. */
                            ok: boolean;
                            /** @description Only when not: the status it would have had alone. */
                            status?: number;
                            /** @description Only when not: the code of the reason. */
                            error?: string;
                            /** @description Only when not: the reason, in a sentence. */
                            message?: string;
                        }[];
                    };
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "video_id": "019a0b1c2d3e7f008000000000000003",
                     *       "analysis_id": "019a0b1c2d3e7f008000000000000011",
                     *       "analysis": {
                     *         "status": "COMPLETED",
                     *         "analysis_id": "019a0b1c2d3e7f008000000000000011",
                     *         "batch_id": "019a0b1c2d3e7f008000000000000010",
                     *         "query": "the picture gets dark",
                     *         "mode": "thinking",
                     *         "answer": "The picture gets dark once, from 00:12 to 00:15.",
                     *         "summary": "The picture gets dark once, from 00:12 to 00:15.",
                     *         "events": [
                     *           {
                     *             "event_id": "019a0b1c2d3e7f008000000000000011-0",
                     *             "type": "light",
                     *             "description": "The picture gets dark",
                     *             "severity": "medium",
                     *             "aiAnalysis": "The mean brightness fell from 118 to 31 of 255 within 0.4 s and stayed below 40.",
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
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Identifier of the video. */
                        video_id: string;
                        /** @description Identifier of the analysis. */
                        analysis_id: string;
                        /** @description The result, complete. */
                        analysis: {
                            /**
                             * @description `PROCESSING` until the analysis has ended; then `COMPLETED` or `FAILED`.
                             * @enum {string}
                             */
                            status: "PROCESSING" | "COMPLETED" | "FAILED";
                            /** @description Identifier of the analysis. */
                            analysis_id: string;
                            /** @description The batch it belongs to. */
                            batch_id: string | null;
                            /** @description The prompt. */
                            query: string;
                            /** @description `thinking` or `fast`. */
                            mode: string;
                            /** @description The answer in words; the summary when the prompt asked no question. */
                            answer: string;
                            /** @description What was found, and what could not be looked for. */
                            summary: string;
                            /** @description The events in their stored form; empty while it runs. */
                            events: ({
                                /** @description Unique and stable. */
                                event_id: string;
                                /** @description Kind of happening: `object`, `motion`, `light`, `cut`, `sound`, … */
                                type: string;
                                /** @description Start, as `t=` and seconds from the first frame with three decimals: `t=12.340`. */
                                time: string;
                                /** @description End, in the same form. */
                                end_time: string;
                                /** @description What happened, in a few words. */
                                description: string;
                                /** @description `low`, `medium` or `high`. */
                                severity: string;
                                /** @description Why this was reported, with the numbers that led to it. */
                                aiAnalysis: string;
                                /** @description `pending`, until a person reviews it. */
                                approval: string;
                                /** @description `true`: older clients drop the events of agents without it. */
                                edgeCaseValidated: string;
                                /** @description Start in seconds from the first frame: the presentation time of a frame. */
                                start_s: number;
                                /** @description End in seconds from the first frame. */
                                end_s: number;
                                data: {
                                    /** @description How certain the engine is, 0 to 1. */
                                    confidence: number;
                                    /** @description Signed URL of the evidence picture, a JPEG that is drawn when it is first fetched; needs no key, holds for 24 hours. */
                                    annotated_thumbnail_url?: string;
                                    /** @description Exact presentation time stamp of the start, in units of `time_base`. */
                                    start_pts: number;
                                    /** @description Exact presentation time stamp of the end. */
                                    end_pts: number;
                                    /** @description Seconds per time stamp unit: numerator, denominator. */
                                    time_base: number[];
                                    /** @description What shows it: `frames` (role, time_s in seconds, pts, boxes in fractions of the picture, url), `tracks` (id, class, color, path as [seconds, x, y]), `signals` (name, value, threshold, unit). */
                                    evidence: {
                                        [key: string]: unknown;
                                    };
                                } & {
                                    [key: string]: unknown;
                                };
                            } & {
                                [key: string]: unknown;
                            })[];
                            /** @description For each part of the prompt: what looked for it, or why nothing could. */
                            coverage: ({
                                /** @description The words of the prompt. */
                                text: string;
                                /** @description `looked_for`, `partly` or `not_looked_for`. */
                                status: string;
                                /** @description What looked for it. */
                                by: string[];
                                /** @description Why not, or with what limits. */
                                reason: string | null;
                                /** @description How many events came of it. */
                                findings: number;
                            } & {
                                [key: string]: unknown;
                            })[];
                            /** @description What was looked for, as a plan that can be sent again; null when there is none. */
                            plan: components["schemas"]["Plan"] | null;
                            /** @description The same plan, video and version give the same answer. */
                            engine_version?: string;
                            /**
                             * Format: date-time
                             * @description When it was asked for, ISO 8601, UTC.
                             */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description When it ended, ISO 8601, UTC.
                             */
                            completed_at?: string;
                            /** @description Code of what went wrong. */
                            error?: string;
                            /** @description What went wrong, in a sentence. */
                            message?: string;
                            /** @description Where it is, while it runs. */
                            stage?: string;
                            /** @description Percent done, while it runs. */
                            progress?: number;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description The video as it was analysed: `filename`, `duration_s` (seconds), `width` and `height` (pixels), `frame_rate` (frames per second), `size_bytes`, `import_source_uri`, `created_at`; and `visual_analysis`, where older clients look for the status. */
                        metadata: {
                            [key: string]: unknown;
                        };
                        /** @description The events in their readable form. */
                        events: ({
                            /** @description The same as in the stored form. */
                            event_id: string;
                            /** @description Kind of happening. */
                            type: string;
                            /** @description The same as `type`. */
                            category: string;
                            /** @description What happened, in a few words. */
                            label: string;
                            /** @description The same as `label`. */
                            description: string;
                            /** @description `low`, `medium` or `high`. */
                            severity: string;
                            /** @description 0 to 1. */
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
                            /** @description Why this was reported. */
                            aiAnalysis: string;
                            /** @description `pending`, until a person reviews it. */
                            approval: string;
                            /** @description Signed URL of the evidence picture. */
                            annotated_thumbnail_url?: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                    } & {
                        [key: string]: unknown;
                    };
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
            /** @description The events of an analysis, with their pictures. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "events": [
                     *         {
                     *           "event_id": "019a0b1c2d3e7f008000000000000011-0",
                     *           "type": "light",
                     *           "description": "The picture gets dark",
                     *           "severity": "medium",
                     *           "aiAnalysis": "The mean brightness fell from 118 to 31 of 255 within 0.4 s and stayed below 40.",
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
                    "application/json": {
                        /** @description All events, in their order. */
                        events: ({
                            /** @description URL of the picture of its best frame, with boxes; empty for an event without one. */
                            annotated_thumbnail_url: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                    } & {
                        [key: string]: unknown;
                    };
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
            /** @description How an analysis stands. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    "application/json": {
                        /**
                         * @description `PROCESSING` until the analysis has ended; then `COMPLETED` or `FAILED`.
                         * @enum {string}
                         */
                        status: "PROCESSING" | "COMPLETED" | "FAILED";
                        /** @description Identifier of the analysis. */
                        analysis_id: string;
                        /** @description Percent done; never falls. */
                        progress: number;
                        /** @description Identifier of the video. */
                        video_id: string;
                        /** @description The batch it belongs to. */
                        batch_id: string | null;
                        /** @description `waiting`, `planning`, `observing`, `finding` or `looking` (a vision-language model is asked); null once it has ended. */
                        stage: string | null;
                        /** @description 1 once it has ended, else 0. */
                        chunks_completed: number;
                        /** @description Always 1. */
                        chunks_total: number;
                        /**
                         * Format: date-time
                         * @description When it was asked for, ISO 8601, UTC.
                         */
                        created_at: string;
                        /** @description When it ended, ISO 8601, UTC. */
                        completed_at: string | null;
                        /** @description The answer in words, once it has ended; empty until then. */
                        answer: string;
                        /** @description Code of what went wrong. */
                        error?: string;
                        /** @description What went wrong, in a sentence. */
                        message?: string;
                        /** @description The events, once it is completed. */
                        events: ({
                            /** @description Unique and stable. */
                            event_id: string;
                            /** @description Kind of happening: `object`, `motion`, `light`, `cut`, `sound`, … */
                            type: string;
                            /** @description Start, as `t=` and seconds from the first frame with three decimals: `t=12.340`. */
                            time: string;
                            /** @description End, in the same form. */
                            end_time: string;
                            /** @description What happened, in a few words. */
                            description: string;
                            /** @description `low`, `medium` or `high`. */
                            severity: string;
                            /** @description Why this was reported, with the numbers that led to it. */
                            aiAnalysis: string;
                            /** @description `pending`, until a person reviews it. */
                            approval: string;
                            /** @description `true`: older clients drop the events of agents without it. */
                            edgeCaseValidated: string;
                            /** @description Start in seconds from the first frame: the presentation time of a frame. */
                            start_s: number;
                            /** @description End in seconds from the first frame. */
                            end_s: number;
                            data: {
                                /** @description How certain the engine is, 0 to 1. */
                                confidence: number;
                                /** @description Signed URL of the evidence picture, a JPEG that is drawn when it is first fetched; needs no key, holds for 24 hours. */
                                annotated_thumbnail_url?: string;
                                /** @description Exact presentation time stamp of the start, in units of `time_base`. */
                                start_pts: number;
                                /** @description Exact presentation time stamp of the end. */
                                end_pts: number;
                                /** @description Seconds per time stamp unit: numerator, denominator. */
                                time_base: number[];
                                /** @description What shows it: `frames` (role, time_s in seconds, pts, boxes in fractions of the picture, url), `tracks` (id, class, color, path as [seconds, x, y]), `signals` (name, value, threshold, unit). */
                                evidence: {
                                    [key: string]: unknown;
                                };
                            } & {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        })[];
                    } & {
                        [key: string]: unknown;
                    };
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
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is up. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "version": "0.1.0",
                     *       "uptime_s": 86400
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description The process is up and answers.
                         * @enum {string}
                         */
                        status: "ok";
                        /** @description Version of the service. */
                        version: string;
                        /** @description Seconds since this process started. */
                        uptime_s: number;
                    };
                };
            };
            500: components["responses"]["Error500"];
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
            /** @description Requests can be served. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready",
                     *       "checks": {
                     *         "database": "ok",
                     *         "storage": "ok",
                     *         "disk": "ok"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Requests can be served.
                         * @enum {string}
                         */
                        status: "ready";
                        /** @description What was checked just now, by name. */
                        checks: {
                            [key: string]: "ok";
                        };
                    };
                };
            };
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
}
