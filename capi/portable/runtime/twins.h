/* rp_call, whose methods with handles are done where the handles are. */
#ifndef READPREF_TWINS_H
#define READPREF_TWINS_H

#include "instance.h"

/* readpref_call is rp_call; call is a READPREF_CALL. Answers and errors are the engine's, byte for byte. */
int32_t readpref_call(const readpref_job *call);

/* readpref_close is rp_close. */
int32_t readpref_close(uint32_t handle);

#endif
