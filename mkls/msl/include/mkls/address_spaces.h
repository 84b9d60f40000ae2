// MSL 4 address spaces and 5.1 function qualifiers: on a CPU all memory is one. Included last, because
// these are macros: nothing in the other headers may be called like them.
#pragma once
#define device
#define thread
#define threadgroup
#define constant const
#define ray_data
#define object_data
#define threadgroup_imageblock
#define kernel
#define vertex
#define fragment
