/* The page of `arcloom report`, which contains all its data. */
"use strict";

show();
