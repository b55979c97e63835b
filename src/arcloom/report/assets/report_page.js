/* The page of `arcloom report`, which has all its data. */
"use strict";

show();
